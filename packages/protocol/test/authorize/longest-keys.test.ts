import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  answeredParameters,
  authorizationRequest,
  emma,
  flowDependencies,
  submission,
  TestBrowser,
} from '@watchword/testkit';
import type { AuthenticationModule } from '../../src/ports/modules/authentication-module.ts';

function loginAs(name: string, identityProvider?: string): AuthenticationModule {
  const at = identityProvider === undefined ? {} : { identityProvider };
  return {
    name: 'named',
    begin: async () => ({ type: 'authenticated', principal: emma({ name }), ...at }),
    resume: async () => ({ type: 'form' }),
  };
}

describe('texts that are too long for an index', () => {
  it('are no name of an account', async () => {
    for (const authenticator of [
      loginAs('ü'.repeat(1250)),
      loginAs('ü'.repeat(250), `https://idp.example/${'x'.repeat(2000)}`),
    ]) {
      const deps = await flowDependencies({ authenticator });
      const browser = new TestBrowser();
      const answer = await deps.authorization.authorize(authorizationRequest(), browser.state);
      assert.ok(answer.type === 'redirect', answer.type);
      const sent = new Map(answeredParameters(answer.location));
      assert.equal(sent.get('error'), 'access_denied');
      assert.match(sent.get('error_description') ?? '', /a name that is too long/);
      assert.deepEqual(await deps.store.loginSessions.list({ limit: 9 }), []);
    }
  });

  it('are no key of a consent: the resource owner is asked again', async () => {
    const redirectUri = `https://app.example/${'x'.repeat(1900)}`;
    for (const [length, second] of [
      [500, 'redirect'],
      [600, 'consent'],
    ] as const) {
      const deps = await flowDependencies({ authenticator: loginAs('e'.repeat(length)) });
      deps.store.putClient({ ...deps.webApp, redirectUris: [redirectUri] });
      const browser = new TestBrowser();
      const authorize = async () =>
        browser.take(
          await deps.authorization.authorize(
            authorizationRequest({ redirect_uri: redirectUri }),
            browser.state,
          ),
        );
      const asked = await authorize();
      assert.ok(asked.type === 'consent', asked.type);
      const allowed = submission({ auth_state: asked.authState, decision: 'allow' });
      const answer = browser.take(await deps.authorization.consent(allowed, browser.state));
      assert.equal(answer.type, 'redirect');
      assert.equal((await authorize()).type, second, `a name of ${length} bytes`);
    }
  });
});
