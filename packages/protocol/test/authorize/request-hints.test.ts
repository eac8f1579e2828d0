import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AuthenticationContext, AuthenticationModule } from '@watchword/protocol';
import {
  answeredParameters,
  authorizationRequest,
  emma,
  flowDependencies,
  submission,
  TestBrowser,
} from '@watchword/testkit';
import { readHints } from '../../src/authorize/request/hints.ts';

function hints(parameters: Record<string, string>) {
  return readHints(authorizationRequest(parameters));
}

describe('the hints of an authorization request', () => {
  it('are the parameters of OpenID Connect Core §3.1.2.1 in their order', () => {
    const given = hints({
      login_hint: 'emma@example.org',
      ui_locales: 'fr-CA de',
      acr_values: 'urn:gold urn:silver',
      display: 'popup',
      authenticator_hint: 'saml',
    });
    assert.deepEqual(given, {
      loginHint: 'emma@example.org',
      uiLocales: ['fr-CA', 'de'],
      acrValues: ['urn:gold', 'urn:silver'],
      display: 'popup',
      authenticatorHint: 'saml',
    });
  });

  it('are ignored when the server cannot use them', () => {
    for (const parameters of [
      {},
      { login_hint: 'a\u0007b' },
      { login_hint: 'x'.repeat(321) },
      { ui_locales: '../../etc de_DE ;q=1 *' },
      { display: 'hologram' },
      { authenticator_hint: 'two words' },
      { acr_values: '  ' },
    ]) {
      assert.deepEqual(hints(parameters as Record<string, string>), {});
    }
  });

  it('have a login_hint of up to 320 characters', () => {
    assert.equal(hints({ login_hint: 'x'.repeat(320) }).loginHint?.length, 320);
  });

  it('have at most ten languages and classes', () => {
    const many = Array.from({ length: 100 }, () => 'de').join(' ');
    const { uiLocales, acrValues } = hints({ ui_locales: many, acr_values: many });
    assert.deepEqual([uiLocales?.length, acrValues?.length], [10, 10]);
  });

  it('reach the authentication module at every step of the login', async () => {
    const seen: AuthenticationContext[] = [];
    const authenticator: AuthenticationModule = {
      name: 'test-login',
      begin: async (context) => {
        seen.push(context);
        return { type: 'form' };
      },
      resume: async (context) => {
        seen.push(context);
        return { type: 'authenticated', principal: emma() };
      },
    };
    const { authorization } = await flowDependencies({ authenticator });
    const browser = new TestBrowser();
    const request = authorizationRequest({
      login_hint: 'emma',
      acr_values: 'urn:gold',
      ui_locales: 'nl',
      display: 'touch',
      prompt: 'select_account',
    });
    const page = browser.take(await authorization.authorize(request, browser.state));
    assert.ok(page.type === 'login');
    await authorization.login(submission({ auth_state: page.authState }), browser.state);
    assert.equal(seen.length, 2);
    for (const { loginHint, acrValues, uiLocales, display, selectsAccount } of seen) {
      assert.deepEqual([loginHint, acrValues, uiLocales, display], ['emma', ['urn:gold'], ['nl'], 'touch']);
      assert.ok(selectsAccount);
    }
  });
});

describe('an authorization request', () => {
  for (const [parameter, error] of [
    ['request', 'request_not_supported'],
    ['request_uri', 'request_uri_not_supported'],
    ['registration', 'registration_not_supported'],
  ] as const) {
    it(`with ${parameter} is answered by ${error}, also if the rest is wrong`, async () => {
      const { authorization } = await flowDependencies();
      for (const others of [{}, { scope: 'admin', prompt: 'x' }]) {
        const request = authorizationRequest({ ...others, [parameter]: 'x', state: 's' });
        const answer = await authorization.authorize(request, new TestBrowser().state);
        assert.ok(answer.type === 'redirect', answer.type);
        const answered = answeredParameters(answer.location);
        assert.deepEqual([answered.get('error'), answered.get('state')], [error, 's']);
      }
    });
  }
});
