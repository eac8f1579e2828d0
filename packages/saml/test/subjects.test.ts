import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { UserAgent } from '@watchword/testkit/user-agent';
import { assertAccepted, beginFlow, honest, honestXml, onPaper, other, post } from './support/flow.ts';
import { encoded, type ResponseFacts, type Sloppy } from './support/response.ts';
import { arrive, authorizePath, codeOf, type Service, startService } from './support/service.ts';

const app = 'demo-app:demo-app-secret';

/** `sub` and `username` of a person who logs in with these facts, in a browser of their own. */
async function identified(service: Service, provider = honest, more: Sloppy<ResponseFacts> = {}) {
  const flow = await beginFlow(service, provider);
  const code = await assertAccepted(service, flow, honestXml(flow.facts(more), provider));
  const form = { grant_type: 'authorization_code', code };
  const { access_token: token } = (await service.server.post('/oauth2/token', form, app)).json;
  const { sub, username } = (await service.server.post('/oauth2/introspect', { token }, app)).json;
  return { sub, username };
}

describe('the subject of a person of SAML', () => {
  const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
  let service: Service;
  before(async () => {
    service = await startService({ identityProviders: [onPaper(honest), onPaper(other)] });
  });
  after(() => service[Symbol.asyncDispose]());

  it('goes by a persistent NameID, whatever the name, at each identity provider for itself', async () => {
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

  it('goes by the name where the NameID is not persistent', async () => {
    const emma = await identified(service, honest, { nameId: 'x-1' });
    assert.deepEqual(await identified(service, honest, { nameId: 'x-2' }), emma);
    assert.notEqual((await identified(service, other, { nameId: 'x-1' })).sub, emma.sub);
    // A name that equals the persistent NameID of another person is another person.
    const chosen = await identified(service, honest, { uid: 'NameID ["e-1","",""]' });
    const victim = await identified(service, honest, { nameId: 'e-1', nameIdFormat: persistent });
    assert.notEqual(chosen.sub, victim.sub);
  });

  it('refuses a login without the stable id that is configured', async () => {
    await using configured = await startService({
      identityProviders: [onPaper(honest)],
      principal: { stableId: 'urn:oasis:names:tc:SAML:attribute:pairwise-id' },
    });
    const flow = await beginFlow(configured);
    const xml = honestXml(flow.facts({ nameIdFormat: persistent }));
    const answer = await post(configured, flow, { SAMLResponse: encoded(xml) });
    const page = await flow.agent.get(answer.headers.get('location') ?? '');
    assert.equal(page.status, 403);
    const [refusal] = configured.refusals();
    assert.deepEqual([refusal?.check, /pairwise-id/.test(refusal?.detail ?? '')], ['name', true]);
  });
});

describe('the age of a login by SAML', () => {
  it('is that of AuthnInstant: max_age asks again, though the session here is young', async () => {
    await using service = await startService({ identityProviders: [onPaper(honest)] });
    const agent = new UserAgent();
    const flow = await beginFlow(service, honest, '', agent);
    await assertAccepted(service, flow, honestXml(flow.facts({ authnInstant: -3600 })));
    codeOf(await arrive(service, agent));
    codeOf(await arrive(service, agent, '&max_age=3700'));
    const again = await arrive(service, agent, '&max_age=3600');
    assert.ok(again.location?.startsWith(`${honest.entityId}/sso?`), again.text);
    const silent = await agent.get(`${service.baseUrl}${authorizePath}&max_age=3600&prompt=none`);
    assert.equal(new URL(silent.location ?? '').searchParams.get('error'), 'login_required');
  });

  it('is stored with its AuthnContextClassRef, and no login lies ahead of now', async () => {
    await using service = await startService({ identityProviders: [onPaper(honest)] });
    for (const [authnInstant, expected] of [
      [-3600, 3600],
      [60, 0],
    ] as const) {
      const flow = await beginFlow(service);
      const begun = Date.now();
      await assertAccepted(service, flow, honestXml(flow.facts({ authnInstant })));
      const owner = { authority: honest.entityId, name: 'emma' };
      const [newest] = await service.server.service.store.grants.listByOwner(owner, Date.now());
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
