import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { authorizationRequest, flowDependencies, submission, TestBrowser } from '@watchword/testkit';
import { administrationClientId } from '../../src/rules/built-in-records.ts';

const issuer = 'https://as.example';
const location = 'https://app.example/cb';

async function ask(parameters: Record<string, string>, deps = flowDependencies()) {
  const { authorization } = await deps;
  const request = authorizationRequest({ response_mode: 'form_post', ...parameters });
  return authorization.authorize(request, new TestBrowser().state);
}

describe('response_mode=form_post', () => {
  it('answers with the fields of a form for the redirect URI, with state and issuer', async () => {
    const { authorization } = await flowDependencies();
    const browser = new TestBrowser();
    const request = authorizationRequest({ response_mode: 'form_post', state: 'a"b<&' });
    const login = browser.take(await authorization.authorize(request, browser.state));
    assert.ok(login.type === 'login');
    const form = submission({ auth_state: login.authState, username: 'emma' });
    const consent = browser.take(await authorization.login(form, browser.state));
    assert.ok(consent.type === 'consent');
    const decision = submission({ auth_state: consent.authState, decision: 'allow' });
    const answer = await authorization.consent(decision, browser.state);
    assert.ok(answer.type === 'formPost', answer.type);
    const { code, ...fields } = answer.fields;
    assert.equal(answer.location, location);
    assert.match(code ?? '', /^\S+$/);
    assert.deepEqual(fields, { state: 'a"b<&', iss: issuer });
  });

  it('has errors in the form too', async () => {
    const answer = await ask({ scope: 'admin', state: 's' });
    assert.ok(answer.type === 'formPost', answer.type);
    const { error_description, ...fields } = answer.fields;
    assert.deepEqual(fields, { error: 'invalid_scope', state: 's', iss: issuer });
    assert.equal(answer.location, location);
  });

  it('is rejected where no form can be posted: at a private-use scheme', async () => {
    const deps = await flowDependencies();
    for (const redirect_uri of ['com.example.app:/cb', 'com.example.app:/https:']) {
      deps.store.putClient({ ...deps.webApp, redirectUris: [redirect_uri] });
      const answer = await ask({ redirect_uri }, Promise.resolve(deps));
      assert.ok(answer.type === 'redirect', answer.type);
      assert.ok(answer.location.startsWith(`${redirect_uri}?error=invalid_request&`), answer.location);
      assert.match(answer.location, /must%20be%20query%20or%20fragment%20or%20jwt%20/);
    }
  });
});

describe('the client of the administration pages', () => {
  it('has no response_mode=form_post', async () => {
    const deps = await flowDependencies();
    deps.store.putClient({ ...deps.webApp, clientId: administrationClientId });
    const answer = await ask({ client_id: administrationClientId }, Promise.resolve(deps));
    assert.ok(answer.type === 'redirect', answer.type);
    assert.match(answer.location, /error=invalid_request&.*must%20be%20query%20or%20fragment%20or%20jwt%20/);
  });
});

describe('response_mode=fragment', () => {
  it('puts a code into the fragment', async () => {
    const answer = await ask({ response_mode: 'fragment', scope: 'admin' });
    assert.ok(answer.type === 'redirect', answer.type);
    assert.match(answer.location, /^https:\/\/app\.example\/cb#error=invalid_scope&/);
  });
});

describe('an error about response_type', () => {
  it('goes to the client in the response_mode that the request names', async () => {
    for (const response_type of ['', 'foo']) {
      const answer = await ask({ response_type });
      assert.ok(answer.type === 'formPost', answer.type);
      const fragment = await ask({ response_type, response_mode: 'fragment' });
      assert.ok(fragment.type === 'redirect' && fragment.location.includes('#error='));
      const unknown = await ask({ response_type, response_mode: 'web_message' });
      assert.ok(unknown.type === 'redirect' && unknown.location.includes('?error='));
    }
  });
});
