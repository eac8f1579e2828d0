import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  buildClient,
  buildResourceServer,
  machineSecret,
  presentedRequest,
  type TestForm,
} from '@watchword/testkit';
import { userinfoEndpoint } from '../../src/endpoints/userinfo.ts';
import { type ErrorRuleName, errorRule } from '../../src/model/errors/rules/error-rules.ts';
import type { ResourceServer } from '../../src/model/records/resource-server.ts';
import { openClientsKey } from '../../src/rules/built-in-records.ts';
import { notStored } from '../../src/rules/document-client.ts';
import { scopesAt } from '../../src/rules/usable-resource-servers.ts';
import {
  a,
  b,
  c,
  code,
  home,
  obtain,
  otherOfA,
  redeem,
  refresh,
  refused,
  refusedRequest,
  seen,
  server,
} from './several-resource-servers.ts';

describe('a request that names resource servers (RFC 8707)', () => {
  it('gets a token for these alone, and each sees its own part of it', async () => {
    const deps = await server();
    const one = await obtain(deps, { resource: b, scope: 'read b' });
    assert.equal(one.scope, 'read b');
    assert.deepEqual(await seen(deps, one.access_token), { 'b-api': `read b @ ${b}` });
    const both = await obtain(deps, { resource: [a, b], scope: 'b read a' });
    assert.equal(both.scope, 'b read a');
    assert.deepEqual(await seen(deps, both.access_token), {
      'a-api': 'read a @ https://a.example',
      'b-api': `b read @ ${b}`,
    });
    const withHome = await obtain(deps, { resource: [home, b], scope: 'write b' });
    assert.deepEqual(await seen(deps, withHome.access_token), {
      'test-api': `write @ ${home}`,
      'b-api': `b @ ${b}`,
    });
  });

  it('gets without a scope all that the client has there, and nothing else', async () => {
    const deps = await server();
    const { access_token, scope } = await obtain(deps, { resource: [b, home] });
    assert.equal(scope, 'read b write');
    assert.deepEqual(await seen(deps, access_token), {
      'test-api': `read write @ ${home}`,
      'b-api': `read b @ ${b}`,
    });
  });

  it('is for the own resource server of the client if it names none, as ever', async () => {
    const deps = await server();
    const { access_token, scope } = await obtain(deps, { resource: '' });
    assert.equal(scope, 'read write');
    assert.deepEqual(await seen(deps, access_token), { 'test-api': `read write @ ${home}` });
    assert.equal(await refusedRequest(deps, { scope: 'a' }), 'invalid_scope available_scope');
  });

  it('can name one twice, in another spelling, and by several of its URIs', async () => {
    const deps = await server();
    for (const resource of ['https://a.example', 'HTTPS://A.example:443/', [a, 'https://a.example']]) {
      const { access_token } = await obtain(deps, { resource, scope: 'a' });
      assert.deepEqual(await seen(deps, access_token), { 'a-api': 'a @ https://a.example' });
    }
    const { access_token } = await obtain(deps, { resource: [otherOfA, a], scope: 'a' });
    assert.deepEqual(await seen(deps, access_token), { 'a-api': `a @ ${otherOfA} https://a.example` });
  });

  it('logs the user in too, also where the client has no scope', async () => {
    const deps = await server();
    const tokens = await obtain(deps, { resource: b, scope: 'openid profile' });
    assert.ok(tokens.id_token);
    assert.deepEqual(await seen(deps, tokens.access_token), { 'b-api': `openid profile @ ${b}` });
    const bearer = presentedRequest(`Bearer ${tokens.access_token}`);
    assert.ok('claims' in (await userinfoEndpoint(deps)(bearer)));
  });

  // The value of resource, the rule that it breaks, and where that comes from.
  const refusals: Readonly<Record<string, readonly [TestForm, ErrorRuleName, section: string]>> = {
    'an unknown URI': [{ resource: 'https://unknown.example' }, 'usable_resource', 'RFC 8707 §2'],
    'the URI of one that the client may not use': [{ resource: c }, 'usable_resource', 'RFC 8707 §2'],
    'one of its own and one that it may not use': [{ resource: [a, c] }, 'usable_resource', 'RFC 8707 §2'],
    'a longer path': [{ resource: `${b}/more` }, 'usable_resource', 'RFC 8707 §2'],
    'a slash at the end': [{ resource: `${b}/` }, 'usable_resource', 'RFC 8707 §2'],
    'a query': [{ resource: `${b}?x` }, 'usable_resource', 'RFC 8707 §2'],
    'another scheme': [{ resource: 'http://b.example/mcp' }, 'resource_uri', 'RFC 8707 §2'],
    'a relative URI': [{ resource: '/mcp' }, 'resource_uri', 'RFC 8707 §2'],
    'a name': [{ resource: 'b-api' }, 'resource_uri', 'RFC 8707 §2'],
    'a fragment': [{ resource: `${b}#x` }, 'resource_uri', 'RFC 8707 §2'],
    'an empty fragment': [{ resource: `${b}#` }, 'resource_uri', 'RFC 8707 §2'],
    'a user': [{ resource: 'https://b.example@evil.example/mcp' }, 'resource_uri', 'RFC 8707 §2'],
    'a backslash': [{ resource: `5\\\\${b}` }, 'resource_uri', 'RFC 8707 §2'],
    'letters of another alphabet': [{ resource: 'https://Ь.example/mcp' }, 'resource_uri', 'RFC 8707 §2'],
    'a hidden character': [{ resource: `${b}\u200b` }, 'resource_uri', 'RFC 8707 §2'],
    'white space': [{ resource: ` ${b}` }, 'resource_uri', 'RFC 8707 §2'],
    'two in one': [{ resource: `${a} ${b}` }, 'resource_uri', 'RFC 8707 §2'],
    'a text that is too long': [{ resource: `${b}?${'x'.repeat(3000)}` }, 'resource_uri', 'RFC 8707 §2'],
    'more than 20': [{ resource: Array(21).fill(b) }, 'resource_uri', 'RFC 8707 §2'],
  };

  for (const [what, [form, rule, section]] of Object.entries(refusals)) {
    it(`is refused with ${what}, at both endpoints (${section})`, async () => {
      assert.equal(errorRule(rule)?.section, section);
      const deps = await server();
      assert.equal(await refusedRequest(deps, form), `invalid_target ${rule}`);
      const job = { ...deps.app, id: 11, clientId: 'job', allowedClientCredentials: true };
      deps.store.putClient(job);
      const asked = deps.token({ grant_type: 'client_credentials', ...form }, 'job:client-secret');
      assert.equal(await refused(asked), `invalid_target ${rule}`);
      const value = await code(deps, { resource: [a, b] });
      assert.equal(await refused(redeem(deps, value, form)), `invalid_target ${rule}`);
      // The code was not used up.
      assert.ok((await redeem(deps, value)).access_token);
    });
  }

  it('means a name at each of them that has it, and never at another', async () => {
    const deps = await server();
    for (const [resource, scope, expected] of [
      [a, 'b', 'invalid_scope available_scope'],
      [b, 'write', 'invalid_scope available_scope'],
      [a, 'hidden', 'invalid_scope available_scope'],
      [[a, b], 'secret', 'invalid_scope available_scope'],
      [a, '2\\a', 'invalid_scope scope_syntax'],
    ] as const) {
      assert.equal(await refusedRequest(deps, { resource, scope }), expected, `${resource} ${scope}`);
    }
    const { access_token } = await obtain(deps, { resource: [a, b], scope: 'openid write read' });
    assert.deepEqual(await seen(deps, access_token), {
      'a-api': 'read openid @ https://a.example',
      'b-api': `read openid @ ${b}`,
    });
  });

  it('has no name of OpenID Connect that one of them has for a scope of its own', async () => {
    const deps = await server();
    deps.store.putResourceServer(
      buildResourceServer({
        id: 3,
        key: 'b-api',
        resources: [b],
        scopes: ['profile'],
        secret: machineSecret('secret'),
      }),
    );
    const { access_token, scope } = await obtain(deps, { resource: [a, b], scope: 'openid profile' });
    assert.equal(scope, 'openid');
    assert.deepEqual(await seen(deps, access_token), {
      'a-api': 'openid @ https://a.example',
      'b-api': `openid @ ${b}`,
    });
  });
});

describe('a client without a resource server of its own', () => {
  async function open(ofOpen: Partial<ResourceServer> = {}) {
    const deps = await server({}, { otherResourceServers: [], resourceServerId: 9, scopes: [] });
    deps.store.putResourceServer(
      buildResourceServer({ id: 9, key: openClientsKey, ownerAuthority: 'system', scopes: [] }),
    );
    const opened = { openToClients: 'everyone', openScopes: ['b'], ...ofOpen } as const;
    deps.store.putResourceServer(
      buildResourceServer({
        ...{ id: 3, key: 'b-api', resources: [b], scopes: ['read', 'b'], secret: machineSecret('secret') },
        ...opened,
      }),
    );
    return deps;
  }

  it('gets the open scopes of one that it names and that is open to everyone', async () => {
    const deps = await open();
    const { access_token, scope } = await obtain(deps, { resource: b });
    assert.equal(scope, 'b');
    assert.deepEqual(await seen(deps, access_token), { 'b-api': `b @ ${b}` });
    assert.equal(await refusedRequest(deps, { resource: b, scope: 'read' }), 'invalid_scope available_scope');
    assert.equal(await refusedRequest(deps, { resource: a }), 'invalid_target usable_resource');
  });

  it('gets scopes of OpenID Connect alone if it names none', async () => {
    const deps = await open();
    assert.equal((await obtain(deps, { scope: 'openid profile' })).scope, 'openid profile');
    assert.equal(await refusedRequest(deps, { scope: 'b' }), 'invalid_target named_resource');
    assert.equal(await refusedRequest(deps, { scope: 'openid b' }), 'invalid_target named_resource');
    assert.equal(await refusedRequest(deps, { scope: 'a' }), 'invalid_scope available_scope');
    assert.equal((await obtain(deps, { scope: 'openid a' })).scope, 'openid');
  });

  it('can use the same before it has a record', async () => {
    const { store } = await open();
    const unknown = { resourceServerId: notStored, scopes: [], otherResourceServers: [] };
    const [ofA, ofB] = [2, 3].map((id) => store.registry.resourceServerById(id) ?? assert.fail());
    assert.ok(ofA && ofB);
    assert.deepEqual(scopesAt(unknown, ofB, store.registry), ['b']);
    assert.equal(scopesAt(unknown, ofA, store.registry), undefined);
  });

  it('has nothing of one that is closed again', async () => {
    const deps = await open();
    const value = await code(deps, { resource: b });
    const { access_token, refresh_token } = await obtain(deps, { resource: b });
    const closed = deps.store.registry.resourceServerById(3) ?? assert.fail();
    deps.store.putResourceServer({ ...closed, openToClients: 'owner' });
    assert.deepEqual(await seen(deps, access_token), {});
    assert.equal(await refused(redeem(deps, value)), 'invalid_target remaining_resource');
    assert.equal(await refused(refresh(deps, refresh_token)), 'invalid_target remaining_resource');
  });
});

describe('the implicit grant', () => {
  it('gives a token for the resource servers that the request names', async () => {
    const deps = await server({}, { allowedImplicitGrant: true, confidential: false });
    const answer = await deps.grant({ response_type: 'token', resource: b, scope: 'b' });
    assert.equal(answer.get('scope'), 'b');
    assert.deepEqual(await seen(deps, answer.get('access_token') ?? ''), { 'b-api': `b @ ${b}` });
  });

  it('ends with an error for the client where a JWT cannot say for whom a scope is', async () => {
    const deps = await server(
      { accessTokenFormat: 'jwt' },
      { allowedImplicitGrant: true, confidential: false },
    );
    const answer = await deps.grant({ response_type: 'token', resource: [a, b], scope: 'read' });
    assert.equal(answer.get('error'), 'invalid_target');
  });
});

describe('offline_access', () => {
  it('stands in the answer of a client that may refresh, with a refresh token, also without openid', async () => {
    const deps = await server();
    for (const request of [
      { scope: 'read offline_access' },
      { resource: b, scope: 'read offline_access' },
      { resource: b, scope: 'openid read offline_access' },
    ]) {
      const tokens = await obtain(deps, request);
      assert.equal(tokens.scope, request.scope);
      assert.ok(tokens.refresh_token);
      assert.equal((await refresh(deps, tokens.refresh_token)).scope, request.scope);
    }
  });

  it('is left out for a client without the right, which gets a code all the same', async () => {
    const deps = await server({}, { useRefreshTokens: false });
    for (const resource of ['', b, [a, b]]) {
      const tokens = await obtain(deps, { resource, scope: 'read offline_access email' });
      assert.deepEqual([tokens.scope, tokens.refresh_token], ['read', undefined]);
    }
  });
});

it('another client redeems no code for a resource server that both can use', async () => {
  const deps = await server();
  deps.store.putClient(buildClient({ ...deps.app, id: 12, clientId: 'other-app' }));
  const value = await code(deps, { resource: a });
  const stolen = {
    grant_type: 'authorization_code',
    code: value,
    redirect_uri: 'https://app.example/cb',
    resource: a,
  };
  assert.equal(await refused(deps.token(stolen, 'other-app:client-secret')), 'invalid_grant known_code');
});
