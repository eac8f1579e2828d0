import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { authorizationRequest, emma, flowDependencies, submission, TestBrowser } from '@watchword/testkit';
import { type LoginFailure, loginFailure } from '../../src/authorize/steps/authentication.ts';
import { OAuthError } from '../../src/model/errors/errors.ts';
import type { AuthenticationStep, LoginField } from '../../src/ports/modules/authentication-module.ts';

const typed = submission({ username: 'emma', mail: 'emma@example.org' });
const field = (name: string, autocomplete: string): LoginField => ({
  name,
  label: name,
  type: 'text',
  autocomplete,
});

function failure(outcome: AuthenticationStep | OAuthError, form = typed): LoginFailure | undefined {
  return loginFailure(outcome, form);
}

describe('a failed login', () => {
  it('is an error of the module, by the key of its text or else by its name', () => {
    const text = { key: 'password.wrong' };
    assert.deepEqual(failure(new OAuthError('invalid_request', { text })), {
      reason: 'password.wrong',
      status: undefined,
      name: 'emma',
    });
    assert.equal(failure(new OAuthError('too_many_requests'))?.reason, 'too_many_requests');
  });

  it('is a refusal, and a form with the status of an error, by the key of its message only', () => {
    assert.deepEqual(failure({ type: 'refused', description: 'of emma' }), {
      reason: 'refused',
      status: undefined,
      name: 'emma',
    });
    const message = { key: 'password.wrong' };
    const shown = failure({ type: 'form', status: 400, message });
    assert.deepEqual(shown, { reason: 'password.wrong', status: 400, name: 'emma' });
    const text = failure({ type: 'form', status: 429, message: 'emma typed hunter2' });
    assert.deepEqual(text, { reason: 'form', status: 429, name: 'emma' });
  });

  it('is neither a form without such a status, nor a login, nor the way to another server', () => {
    const message = { key: 'password.expired' };
    for (const step of [
      { type: 'form' },
      { type: 'form', message },
      { type: 'form', status: 399, message },
      { type: 'authenticated', principal: emma() },
      { type: 'redirect', location: () => 'https://idp.example/', status: 400 },
    ] as const) {
      assert.equal(failure(step), undefined, JSON.stringify(step));
    }
  });

  it('has the name that was typed into the field for user names, wherever that is, or none', () => {
    const named = (fields: readonly LoginField[], form?: typeof typed) =>
      failure({ type: 'form', status: 400, fields }, form)?.name;
    const code = field('code', 'one-time-code');
    assert.equal(named([code, field('mail', 'section-a username')]), 'emma@example.org');
    assert.equal(named([code]), 'emma');
    assert.equal(named([field('mail', 'username')], submission({ username: 'emma' })), undefined);
    assert.equal(failure({ type: 'form', status: 400 }, submission({ username: '' }))?.name, undefined);
  });
});

describe('the security log', () => {
  /** What it has of a login whose step is this. */
  async function logged(username: string, step: () => AuthenticationStep) {
    const authenticator = {
      name: 'test-login',
      begin: async () => ({ type: 'form' }) as const,
      resume: async () => step(),
    };
    const deps = await flowDependencies({ authenticator });
    const browser = new TestBrowser();
    const page = browser.take(await deps.authorization.authorize(authorizationRequest(), browser.state));
    assert.ok(page.type === 'login', page.type);
    const form = submission({ auth_state: page.authState, username });
    await deps.authorization.login(form, browser.state).catch(() => {});
    return deps.securityLog.logins;
  }
  const fails = (error: Error) => () => {
    throw error;
  };

  it('has who failed where, with the name that was typed', async () => {
    const account = { identityProvider: 'test-login', name: 'emma' };
    for (const [step, reason] of [
      [() => ({ type: 'refused', description: 'no' }) as const, 'refused'],
      [fails(new OAuthError('too_many_requests')), 'too_many_requests'],
    ] as const) {
      const [failure, ...others] = await logged('emma', step);
      assert.deepEqual(
        [failure?.reason, failure?.account, failure?.authenticator],
        [reason, account, 'test-login'],
      );
      assert.deepEqual([failure?.clientId, failure?.source, others], ['web-app', '192.0.2.7', []]);
      assert.equal((await logged(' ', step))[0]?.account, undefined);
    }
  });

  it('has no login that failed by a defect, or succeeded', async () => {
    assert.deepEqual(await logged('emma', fails(new TypeError('a defect'))), []);
    assert.deepEqual(await logged('emma', () => ({ type: 'authenticated', principal: emma() })), []);
  });
});
