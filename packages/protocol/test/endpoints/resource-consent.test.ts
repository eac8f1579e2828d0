import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  answeredParameters,
  authorizationRequest,
  type FlowDependencies,
  submission,
  TestBrowser,
  type TestForm,
} from '@watchword/testkit';
import { a, b, home, otherOfA, redeem, refused, seen, server } from './several-resource-servers.ts';

describe('the consent to several resource servers', () => {
  async function upToConsent(deps: FlowDependencies, request: TestForm, browser = new TestBrowser()) {
    let answer = browser.take(
      await deps.authorization.authorize(authorizationRequest(request), browser.state),
    );
    if (answer.type === 'login') {
      const form = submission({ auth_state: answer.authState, username: 'emma' });
      answer = browser.take(await deps.authorization.login(form, browser.state));
    }
    return { answer, browser };
  }

  async function allow(deps: FlowDependencies, request: TestForm, granted_scopes: string[]) {
    const { answer, browser } = await upToConsent(deps, request);
    assert.ok(answer.type === 'consent', answer.type);
    const form = submission({ auth_state: answer.authState, decision: 'allow', granted_scopes });
    const done = browser.take(await deps.authorization.consent(form, browser.state));
    assert.ok(done.type === 'redirect', done.type);
    return { value: answeredParameters(done.location).get('code') ?? '', browser };
  }

  it('is asked for each scope of each', async () => {
    const deps = await server();
    const { answer } = await upToConsent(deps, { resource: [a, b, home], scope: 'openid read a b' });
    assert.ok(answer.type === 'consent', answer.type);
    assert.deepEqual(answer.scopes, ['openid', '2\\read', '3\\read', 'read', '2\\a', '3\\b']);
    assert.deepEqual(
      answer.request.targets.map(({ resourceServer, resources }) => [resourceServer.key, ...resources]),
      [
        ['a-api', 'https://a.example'],
        ['b-api', b],
        ['test-api', home],
      ],
    );
  });

  it('to one of two scopes of one name gives that one', async () => {
    const deps = await server();
    const { value } = await allow(deps, { resource: [a, b], scope: 'read a b' }, ['2\\read', '3\\b']);
    assert.deepEqual(await seen(deps, (await redeem(deps, value)).access_token), {
      'a-api': 'read @ https://a.example',
      'b-api': `b @ ${b}`,
    });
  });

  it('to nothing of one gives no token for it', async () => {
    const deps = await server();
    const { value } = await allow(deps, { resource: [a, b], scope: 'openid read' }, ['2\\read']);
    assert.deepEqual(Object.keys(await seen(deps, (await redeem(deps, value)).access_token)), ['a-api']);
    const ofHome = await allow(deps, { resource: [home, b], scope: 'read' }, ['3\\read']);
    assert.deepEqual(Object.keys(await seen(deps, (await redeem(deps, ofHome.value)).access_token)), [
      'b-api',
    ]);
  });

  it('is remembered for each, whatever URI names it, and covers no other', async () => {
    const deps = await server();
    const { browser } = await allow(deps, { resource: a, scope: 'read' }, ['2\\read']);
    const asked = async (request: TestForm) => (await upToConsent(deps, request, browser)).answer.type;
    assert.equal(await asked({ resource: a, scope: 'read' }), 'redirect');
    assert.equal(await asked({ resource: otherOfA, scope: 'read' }), 'redirect');
    assert.equal(await asked({ resource: a, scope: 'read a' }), 'consent');
    assert.equal(await asked({ resource: b, scope: 'read' }), 'consent');
    assert.equal(await asked({ scope: 'read' }), 'consent');
    assert.equal(await asked({ resource: [a, b], scope: 'read' }), 'consent');
  });

  it('to the own resource server of the client is not asked again because the client names it', async () => {
    const deps = await server();
    const { browser } = await allow(deps, { scope: 'read' }, ['read']);
    const named = await upToConsent(deps, { resource: home, scope: 'read' }, browser);
    assert.equal(named.answer.type, 'redirect');
  });

  it('cannot be given to what the client did not ask for', async () => {
    const deps = await server();
    for (const forged of ['3\\b', '2\\hidden', '2\\', 'read', '4\\read']) {
      const { answer, browser } = await upToConsent(deps, { resource: a, scope: 'a' });
      assert.ok(answer.type === 'consent');
      const form = submission({
        auth_state: answer.authState,
        decision: 'allow',
        granted_scopes: ['2\\a', forged],
      });
      assert.equal(
        await refused(deps.authorization.consent(form, browser.state)),
        'invalid_request consented_scopes',
      );
    }
  });
});
