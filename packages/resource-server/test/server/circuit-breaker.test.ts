import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AuthorizationServerUnavailable } from '../../src/errors.ts';
import { CircuitBreaker, pause } from '../../src/lookup/circuit-breaker.ts';
import { FakeSystem } from '../support/fake-system.ts';

const error = new AuthorizationServerUnavailable('unreachable');
const isOpen = { name: 'AuthorizationServerUnavailable', reason: 'circuit_open', cause: error };

function breakerAfter(failures: number) {
  const system = new FakeSystem();
  const breaker = new CircuitBreaker(5000, system);
  for (let time = 0; time < failures; time += 1) breaker.failed(error);
  return { system, breaker };
}

describe('the circuit breaker', () => {
  it('permits every lookup until five in a row have failed', () => {
    const { breaker } = breakerAfter(4);
    breaker.admit();
    breaker.admit();
    breaker.failed(error);
    assert.throws(() => breaker.check(), isOpen);
    assert.throws(() => breaker.admit(), isOpen);
  });

  it('counts from zero after a success', () => {
    const { breaker } = breakerAfter(4);
    breaker.succeeded();
    breaker.failed(error);
    breaker.admit();
  });

  it('permits one lookup after the pause', () => {
    const { system, breaker } = breakerAfter(5);
    system.advance(pause);
    breaker.admit();
    assert.throws(() => breaker.admit(), isOpen);
    breaker.succeeded();
    breaker.admit();
    breaker.admit();
  });

  it('pauses again when that lookup fails too', () => {
    const { system, breaker } = breakerAfter(5);
    system.advance(pause);
    breaker.admit();
    breaker.failed(error);
    assert.throws(() => breaker.check(), isOpen);
    system.advance(pause);
    breaker.check();
  });

  it('permits another lookup when that one gets no answer', () => {
    const { system, breaker } = breakerAfter(5);
    system.advance(pause);
    breaker.admit();
    system.advance(5000);
    breaker.admit();
  });

  it('pauses for the time that the server asked for, also when other answers come during the pause', () => {
    const { system, breaker } = breakerAfter(0);
    breaker.pauseFor(7500, error);
    assert.throws(() => breaker.check(), { retryAfter: 8 });
    breaker.succeeded();
    breaker.failed(error);
    breaker.pauseFor(1000, error);
    system.advance(7499);
    assert.throws(() => breaker.admit(), { ...isOpen, retryAfter: 1 });
    system.advance(1);
    breaker.admit();
    breaker.admit();
  });

  it('does not depend on the time of day', () => {
    const { system, breaker } = breakerAfter(5);
    system.setClock(86_400_000);
    assert.throws(() => breaker.check(), isOpen);
    system.setClock(-2 * 86_400_000);
    system.advance(pause);
    breaker.check();
  });
});
