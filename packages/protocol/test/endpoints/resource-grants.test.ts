import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildResourceServer, machineSecret, type TestForm } from '@watchword/testkit';
import {
  a,
  b,
  c,
  claims,
  code,
  home,
  obtain,
  otherOfA,
  redeem,
  refresh,
  refused,
  seen,
  server,
} from './several-resource-servers.ts';

describe('a code for A and B', () => {
  const request = { resource: [a, b], scope: 'openid read a b' };

  it('gives a token for both if the token request names none', async () => {
    const deps = await server();
    const { access_token } = await obtain(deps, request);
    assert.deepEqual(Object.keys(await seen(deps, access_token)), ['a-api', 'b-api']);
  });

  it('gives a token for the one that the token request names', async () => {
    const deps = await server();
    const { access_token, scope, id_token } = await obtain(deps, request, { resource: a });
    assert.equal(scope, 'openid read a');
    assert.ok(id_token);
    assert.deepEqual(await seen(deps, access_token), { 'a-api': 'read a openid @ https://a.example' });
  });

  it('gives none for others, whether the client could use them or not', async () => {
    const deps = await server();
    const value = await code(deps, request);
    assert.equal(await refused(redeem(deps, value, { resource: home })), 'invalid_target granted_resource');
    assert.equal(
      await refused(redeem(deps, value, { resource: [a, home] })),
      'invalid_target granted_resource',
    );
    assert.equal(
      await refused(redeem(deps, value, { resource: otherOfA })),
      'invalid_target granted_resource',
    );
    assert.equal(await refused(redeem(deps, value, { resource: c })), 'invalid_target usable_resource');
    assert.ok((await redeem(deps, value, { resource: b })).access_token);
  });

  it('narrows no refresh token, and a refresh narrows one token', async () => {
    const deps = await server();
    const first = await obtain(deps, request, { resource: a });
    const ofB = await refresh(deps, first.refresh_token, { resource: b });
    assert.deepEqual(await seen(deps, ofB.access_token), { 'b-api': `read b openid @ ${b}` });
    const both = await refresh(deps, ofB.refresh_token);
    assert.deepEqual(Object.keys(await seen(deps, both.access_token)), ['a-api', 'b-api']);
    const less = await refresh(deps, both.refresh_token, { resource: b, scope: 'b' });
    assert.deepEqual(await seen(deps, less.access_token), { 'b-api': `b @ ${b}` });
    const wrong = refresh(deps, less.refresh_token, { resource: b, scope: 'a' });
    assert.equal(await refused(wrong), 'invalid_scope available_scope');
    assert.equal(
      await refused(refresh(deps, less.refresh_token, { resource: home })),
      'invalid_target granted_resource',
    );
    assert.equal((await refresh(deps, less.refresh_token)).scope, 'openid read a b');
  });

  it('is answered again after a lost answer only for the same resource', async () => {
    const deps = await server();
    const { refresh_token } = await obtain(deps, request);
    const ofB = await refresh(deps, refresh_token, { resource: b, scope: 'read' });
    assert.deepEqual(await refresh(deps, refresh_token, { resource: b, scope: 'read' }), ofB);
    const other = refresh(deps, refresh_token, { resource: a, scope: 'read' });
    assert.equal(await refused(other), 'invalid_scope same_scope_again');
  });

  it('gives nothing more at an API at which its grant has ended, and all that it gives elsewhere', async () => {
    for (const format of ['opaque', 'jwt'] as const) {
      const deps = await server({ accessTokenFormat: format });
      const scoped = { ...request, scope: 'openid a b' };
      const unredeemed = await code(deps, scoped);
      const { access_token, refresh_token } = await obtain(deps, scoped);
      const ofA = await refresh(deps, refresh_token, { resource: a });
      const end = async (id: number) => {
        const { grantList, transact } = deps.store;
        const all = await grantList.scan({ of: 'all', limit: 10 }, deps.clock.now());
        const parts = all.map(({ subject, clientRecordId }) => ({
          ...{ subjects: [subject], clientRecordId, resourceServerIds: [id] },
        }));
        await transact(({ grants }) => grants.endParts(parts, deps.clock.now()));
      };
      await end(2);
      assert.deepEqual(await seen(deps, access_token), { 'b-api': `b openid @ ${b}` });
      assert.deepEqual(await seen(deps, ofA.access_token), {});
      const next = await refresh(deps, ofA.refresh_token);
      assert.equal(next.scope, 'openid b');
      assert.equal(
        await refused(refresh(deps, next.refresh_token, { resource: a })),
        'invalid_target granted_resource',
      );
      assert.equal((await redeem(deps, unredeemed)).scope, 'openid b');
      await end(3);
      assert.deepEqual(await seen(deps, access_token), {});
      assert.equal(await refused(refresh(deps, next.refresh_token)), 'invalid_target remaining_resource');
      // A new consent is a new grant.
      assert.ok('a-api' in (await seen(deps, (await obtain(deps, scoped)).access_token)));
    }
  });

  it('is for what the client still has when it is redeemed', async () => {
    for (const [otherResourceServers, expected] of [
      [[{ resourceServerId: 3, scopes: ['b'] }], { 'b-api': `b openid @ ${b}` }],
      [[{ resourceServerId: 2, scopes: [] }], { 'a-api': 'openid @ https://a.example' }],
    ] as const) {
      const deps = await server();
      const value = await code(deps, request);
      deps.store.putClient({ ...deps.app, otherResourceServers });
      const { access_token } = await redeem(deps, value);
      assert.deepEqual(await seen(deps, access_token), expected);
    }
  });

  it('never becomes one for the own resource server of the client, when the client has lost both', async () => {
    const deps = await server();
    const { access_token, refresh_token } = await obtain(deps, request);
    const value = await code(deps, request);
    deps.store.putClient({ ...deps.app, otherResourceServers: [] });
    assert.deepEqual(await seen(deps, access_token), {});
    assert.equal(await refused(redeem(deps, value)), 'invalid_target remaining_resource');
    assert.equal(await refused(refresh(deps, refresh_token)), 'invalid_target remaining_resource');
    assert.equal(await refused(redeem(deps, value, { resource: home })), 'invalid_target remaining_resource');
    deps.store.putClient(deps.app);
    assert.deepEqual(Object.keys(await seen(deps, access_token)), ['a-api', 'b-api']);
  });

  it('of a client whose resource server is deleted is for the others', async () => {
    const deps = await server();
    const { access_token } = await obtain(deps, request);
    await deps.store.resourceServers.delete(2);
    assert.deepEqual(Object.keys(await seen(deps, access_token)), ['b-api']);
  });
});

describe('a token without resources in its authorization request', () => {
  it('can be narrowed to the own resource server of the client by name, and to no other', async () => {
    const deps = await server();
    const { access_token, refresh_token } = await obtain(deps, {}, { resource: home });
    assert.deepEqual(await seen(deps, access_token), { 'test-api': `read write @ ${home}` });
    assert.equal(
      await refused(refresh(deps, refresh_token, { resource: b })),
      'invalid_target granted_resource',
    );
  });

  it('of client credentials is for any that the client can use', async () => {
    const deps = await server();
    deps.store.putClient({ ...deps.app, id: 11, clientId: 'job', allowedClientCredentials: true });
    const issue = async (form: TestForm) =>
      deps.token({ grant_type: 'client_credentials', ...form }, 'job:client-secret');
    const { access_token } = await issue({ resource: [b, home], scope: 'read b' });
    assert.deepEqual(await seen(deps, access_token), {
      'test-api': `read @ ${home}`,
      'b-api': `read b @ ${b}`,
    });
    assert.deepEqual(await seen(deps, (await issue({})).access_token), {
      'test-api': `read write @ ${home}`,
    });
    assert.equal(await refused(issue({ resource: a, scope: 'b' })), 'invalid_scope available_scope');
    assert.equal(await refused(issue({ scope: 'b' })), 'invalid_scope available_scope');
  });
});

describe('a JWT', () => {
  const jwts = { accessTokenFormat: 'jwt' } as const;

  it('names in aud what the client named, or else the first URI of the resource server', async () => {
    const deps = await server(jwts);
    const aud = async (request: TestForm, form: TestForm = {}) =>
      (await claims(deps, (await obtain(deps, request, form)).access_token)).aud;
    assert.equal(await aud({ resource: a, scope: 'a' }), 'https://a.example');
    assert.equal(await aud({ resource: otherOfA, scope: 'a' }), otherOfA);
    assert.equal(await aud({}), home);
    assert.deepEqual(await aud({ resource: b, scope: 'openid' }), [b, deps.issuer]);
    assert.deepEqual(await aud({ resource: [a, b], scope: 'a b' }), ['https://a.example', b]);
    assert.deepEqual(await aud({ resource: [a, b], scope: 'a b' }, { resource: b }), b);
  });

  it('is read by each resource server as an opaque token is', async () => {
    const deps = await server(jwts);
    const { access_token } = await obtain(deps, { resource: [a, b], scope: 'openid a b' });
    assert.deepEqual(await seen(deps, access_token), {
      'a-api': 'a openid @ https://a.example',
      'b-api': `b openid @ ${b}`,
    });
    const one = await obtain(deps, { resource: b, scope: 'read b' });
    assert.deepEqual(await seen(deps, one.access_token), { 'b-api': `read b @ ${b}` });
  });

  it('is for several only if no scope in it has a name that two of them know', async () => {
    const deps = await server(jwts);
    const value = await code(deps, { resource: [a, b], scope: 'read a b' });
    assert.equal(await refused(redeem(deps, value)), 'invalid_target unambiguous_scope');
    const { scope, refresh_token } = await redeem(deps, value, { resource: b });
    assert.equal(scope, 'read b');
    assert.equal(await refused(refresh(deps, refresh_token)), 'invalid_target unambiguous_scope');
    assert.equal((await refresh(deps, refresh_token, { scope: 'a b' })).scope, 'a b');
    // B would take it for a scope of its own, whoever granted it.
    deps.store.putResourceServer(
      buildResourceServer({ id: 3, key: 'b-api', resources: [b], scopes: ['a', 'b'], ...jwts }),
    );
    const granted = await code(deps, { resource: [a, b], scope: 'a b' });
    assert.equal(await refused(redeem(deps, granted)), 'invalid_target unambiguous_scope');
  });

  it('is issued only where all of its resource servers take JWTs', async () => {
    const deps = await server(jwts);
    takeOpaqueTokens(deps);
    const { access_token } = await obtain(deps, { resource: [a, b], scope: 'read a b' });
    assert.ok(!access_token.startsWith('eyJ'));
    assert.deepEqual(Object.keys(await seen(deps, access_token)), ['a-api', 'b-api']);
  });

  it('is no longer valid at one that does not take JWTs any more', async () => {
    const deps = await server(jwts);
    const { access_token } = await obtain(deps, { resource: [a, b], scope: 'a b' });
    takeOpaqueTokens(deps);
    assert.deepEqual(Object.keys(await seen(deps, access_token)), ['b-api']);
  });

  it('of today has no further claim', async () => {
    const deps = await server({ ...jwts, resources: [] });
    const { access_token } = await obtain(deps, { scope: 'openid read' });
    const read = await claims(deps, access_token);
    assert.equal('targeted_scope' in read, false);
    assert.deepEqual([read.aud, read.scope], [['test-api', deps.issuer], 'openid read']);
  });

  it('with the marks of others cannot be made by a client: its scope is signed as names', async () => {
    const deps = await server(jwts);
    const { access_token } = await obtain(deps, { resource: b, scope: 'b' });
    const read = await claims(deps, access_token);
    assert.deepEqual([read.scope, read.targeted_scope], ['b', `3\\\\${b} 3\\b`]);
  });
});

/** The resource server of `a` takes no JWTs any more. */
function takeOpaqueTokens({ store }: Awaited<ReturnType<typeof server>>): void {
  store.putResourceServer(
    buildResourceServer({
      id: 2,
      key: 'a-api',
      resources: [a],
      scopes: ['read', 'a'],
      secret: machineSecret('secret'),
    }),
  );
}
