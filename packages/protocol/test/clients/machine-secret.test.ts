import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { seededRandom } from '@watchword/testkit';
import {
  chosenSecret,
  generateSecret,
  isGeneratedSecret,
  rotatedSecret,
  secretMatches,
  storedSecret,
} from '../../src/clients/authentication/machine-secret.ts';

describe('machine secrets', () => {
  it('are a recognizable prefix and 256 random bits', () => {
    const asked: number[] = [];
    const secret = generateSecret({ fill: (target) => void asked.push(target.fill(0xfb).length) });
    assert.deepEqual(asked, [32]);
    assert.equal(secret, `wws_${Buffer.alloc(32, 0xfb).toString('base64url')}`);
    assert.match(secret, /^wws_[A-Za-z0-9_-]{43}$/);
  });

  it('are known by their form, from the first character to the last', () => {
    const secret = generateSecret(seededRandom());
    const texts = [secret, `x${secret}`, `${secret}x`, `${secret}\n`, secret.slice(1), 'wws_'];
    assert.deepEqual(texts.map(isGeneratedSecret), [true, false, false, false, false, false]);
  });

  it('differ from one another', () => {
    const random = seededRandom();
    assert.equal(new Set(Array.from({ length: 100 }, () => generateSecret(random))).size, 100);
  });

  it('are stored as SHA-256 only', () => {
    const { hash, ...rest } = storedSecret('secret');
    assert.deepEqual(Buffer.from(hash), createHash('sha256').update('secret').digest());
    assert.deepEqual(rest, { previousHash: undefined, previousValidUntil: 0 });
  });

  it('that can be guessed are never stored as SHA-256', () => {
    assert.throws(() => chosenSecret('a'.repeat(15)), /fewer than 16 characters needs a slow hash/);
    const { text, stored } = chosenSecret('a'.repeat(15), '$argon2id$…');
    assert.deepEqual([text, Buffer.from(stored.hash).toString()], ['a'.repeat(15), '$argon2id$…']);
    assert.deepEqual(chosenSecret('a'.repeat(16)).stored, storedSecret('a'.repeat(16)));
  });

  it('of a slow hash match nothing that was not verified by it', () => {
    const { stored } = chosenSecret('weak', 'a slow hash');
    for (const presented of ['weak', 'a slow hash', '']) assert.ok(!secretMatches(stored, presented, 0));
    const slow = { isRemembered: (hash: Uint8Array) => Buffer.from(hash).toString() === 'a slow hash' };
    assert.ok(secretMatches(stored, 'weak', 0, slow));
    assert.ok(!secretMatches(undefined, 'weak', 0, slow));
    const rotated = rotatedSecret('new', stored, 0, 1);
    assert.ok(secretMatches(rotated, 'weak', 999, slow));
    assert.ok(!secretMatches(rotated, 'weak', 1000, slow));
  });

  it('match what was stored and nothing else', () => {
    const stored = storedSecret('sécret');
    assert.ok(secretMatches(stored, 'sécret', 0));
    for (const wrong of ['', 'secret', 'sécret ', 'SÉCRET', 'se\u0301cret']) {
      assert.equal(secretMatches(stored, wrong, 0), false, wrong);
    }
  });

  it('never match when none is stored, not even the empty one', () => {
    for (const presented of ['', 'undefined', 'x']) {
      assert.ok(!secretMatches(undefined, presented, 0));
    }
  });

  it('count until their end after a rotation', () => {
    const rotated = rotatedSecret('new', storedSecret('old'), 0, 1);
    assert.ok(secretMatches(rotated, 'new', 2000));
    assert.ok(secretMatches(rotated, 'old', 999));
    assert.ok(!secretMatches(rotated, 'old', 1000));
  });

  it('are forgotten by a rotation without overlap, so that no clock set back brings them to life', () => {
    const rotated = rotatedSecret('new', storedSecret('old'), 1000, 0);
    assert.ok(!secretMatches(rotated, 'old', 0));
    assert.equal(rotated.previousHash, undefined);
  });

  it('are not used again after the rotation after the next', () => {
    const twice = rotatedSecret('newer', rotatedSecret('new', storedSecret('old'), 0, 5), 0, 5);
    assert.ok(secretMatches(twice, 'new', 0));
    assert.ok(!secretMatches(twice, 'old', 0));
  });

  it('have no predecessor after the first was lost', () => {
    const rotated = rotatedSecret('new', undefined, 0, 5);
    assert.ok(secretMatches(rotated, 'new', 0));
    assert.ok(!secretMatches(rotated, '', 0));
  });
});
