import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { subjectIn } from '@watchword/testkit';
import { UserAgent } from '@watchword/testkit/user-agent';
import {
  assertAccepted,
  beginFlow,
  describedProvider,
  honest,
  honestXml,
  other,
  post,
} from './support/flow.ts';
import { encoded, type ResponseFacts, type Sloppy } from './support/response.ts';
import { authorizePath, codeOf, requestLogin, type Service, startService } from './support/service.ts';

const app = 'demo-app:demo-app-client-secret';

/** `sub` and `username` of a user who logs in with these facts in a new browser. */
async function identified(service: Service, provider = honest, more: Sloppy<ResponseFacts> = {}) {
  const flow = await beginFlow(service, provider);
  const code = await assertAccepted(service, flow, honestXml(flow.facts(more), provider));
  const form = { grant_type: 'authorization_code', code };
  const { access_token: token } = (await service.server.post('/oauth2/token', form, app)).json;
  const { sub, username } = (await service.server.post('/oauth2/introspect', { token }, app)).json;
  return { sub, username };
}

describe('the subject of a SAML user', () => {
  const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
  let service: Service;
  before(async () => {
    service = await startService({
      identityProviders: [describedProvider(honest), describedProvider(other)],
    });
  });
  after(() => service[Symbol.asyncDispose]());

  it('depends on the persistent NameID and the identity provider, not on the name', async () => {
    const emma = await identified(service, honest, { nameId: 'e-1', nameIdFormat: persistent });
    const renamed = await identified(service, honest, {
      uid: 'emma.m',
      nameId: 'e-1',
      nameIdFormat: persistent,
    });
    assert.deepEqual(renamed, { sub: emma.sub, username: 'emma.m' });
    const namesakes = [
      emma,
      await identified(service, honest, { nameId: 'e-2', nameIdFormat: persistent }),
      await identified(service, other, { nameId: 'e-1', nameIdFormat: persistent }),
    ];
    assert.deepEqual(new Set(namesakes.map(({ username }) => username)), new Set(['emma']));
    assert.equal(new Set(namesakes.map(({ sub }) => sub)).size, namesakes.length);
  });

  it('depends on the name when the NameID is not persistent', async () => {
    const emma = await identified(service, honest, { nameId: 'x-1' });
    assert.deepEqual(await identified(service, honest, { nameId: 'x-2' }), emma);
    assert.notEqual((await identified(service, other, { nameId: 'x-1' })).sub, emma.sub);
    // A user whose name equals the persistent NameID of another user is another subject.
    const chosen = await identified(service, honest, { uid: 'NameID ["e-1","",""]' });
    const victim = await identified(service, honest, { nameId: 'e-1', nameIdFormat: persistent });
    assert.notEqual(chosen.sub, victim.sub);
  });

  it('rejects a login without the configured stable id', async () => {
    await using configured = await startService({
      identityProviders: [describedProvider(honest)],
      principal: { stableId: 'urn:oasis:names:tc:SAML:attribute:pairwise-id' },
    });
    const flow = await beginFlow(configured);
    const xml = honestXml(flow.facts({ nameIdFormat: persistent }));
    const answer = await post(configured, flow, { SAMLResponse: encoded(xml) });
    const page = await flow.agent.get(answer.headers.get('location') ?? '');
    assert.equal(page.status, 403);
    const [logged] = configured.refusedLogins();
    assert.deepEqual([logged?.check, /pairwise-id/.test(logged?.detail ?? '')], ['name', true]);
  });
});

describe('the time of a SAML login', () => {
  let service: Service;
  before(async () => {
    service = await startService({ identityProviders: [describedProvider(honest)] });
  });
  after(() => service[Symbol.asyncDispose]());

  it('is that of AuthnInstant, so max_age can require a login in a new session', async () => {
    const agent = new UserAgent();
    const flow = await beginFlow(service, honest, '', agent);
    await assertAccepted(service, flow, honestXml(flow.facts({ authnInstant: -3600 })));
    codeOf(await requestLogin(service, agent));
    codeOf(await requestLogin(service, agent, '&max_age=3700'));
    const again = await requestLogin(service, agent, '&max_age=3600');
    assert.ok(again.location?.startsWith(`${honest.entityId}/sso?`), again.text);
    const silent = await agent.get(`${service.baseUrl}${authorizePath}&max_age=3600&prompt=none`);
    assert.equal(new URL(silent.location ?? '').searchParams.get('error'), 'login_required');
  });

  it('is stored with AuthnContextClassRef, and is never in the future', async () => {
    for (const [authnInstant, expected] of [
      [-3600, 3600],
      [60, 0],
    ] as const) {
      const flow = await beginFlow(service);
      const begun = Date.now();
      await assertAccepted(service, flow, honestXml(flow.facts({ authnInstant })));
      const { store } = service.server.service;
      const subject = await subjectIn(store, { identityProvider: honest.entityId, name: 'emma' });
      const [newest] = await store.grants.listBySubject(subject, Date.now());
      const { authenticatedAt, acr, amr, identityProvider } = newest?.grant.authentication ?? assert.fail();
      assert.ok(Math.abs(begun - expected * 1000 - authenticatedAt) < 30_000, String(authenticatedAt));
      assert.ok(authenticatedAt <= Date.now());
      assert.deepEqual(
        [acr, amr, identityProvider],
        ['urn:oasis:names:tc:SAML:2.0:ac:classes:Password', undefined, honest.entityId],
      );
    }
  });
});
