import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  buildClient,
  buildResourceServer,
  emma,
  type FlowDependencies,
  flowDependencies,
  introspectRequest,
  type ProtocolDependencies,
  protocolDependencies,
} from '@watchword/testkit';
import { introspectionEndpoint } from '../../src/endpoints/introspection.ts';
import { revocationEndpoint } from '../../src/endpoints/revocation.ts';
import { RedirectableError } from '../../src/model/errors/errors.ts';
import type { ResourceServer } from '../../src/model/records/resource-server.ts';
import type { AuthenticationModule } from '../../src/ports/modules/authentication-module.ts';
import { findAccessToken } from '../../src/tokens/find-access-token.ts';
import { newAccessToken } from '../../src/tokens/issue-access-token.ts';

type Claims = Readonly<Record<string, unknown>>;

/** The resource server has JWTs. */
function withJwts<Deps extends ProtocolDependencies>(
  deps: Deps,
  overrides: Partial<ResourceServer> = {},
): Deps {
  deps.store.putResourceServer(buildResourceServer({ accessTokenFormat: 'jwt', ...overrides }));
  deps.store.putClient({ ...deps.client, expireDuration: 600 });
  return deps;
}

const clientOf = (deps: ProtocolDependencies) =>
  deps.store.registry.clientById(deps.client.id) ?? assert.fail('no client');

/** A client-credentials token. */
const issue = (deps: ProtocolDependencies, scopes = ['read']) => deps.issue(clientOf(deps), scopes);

const find = async (deps: ProtocolDependencies, value: string) => findAccessToken(value, deps);

async function claimsOf(deps: ProtocolDependencies, value: string): Promise<Claims> {
  const claims = await deps.signer.verify(value, { type: 'at+jwt', keys: 'published' });
  return claims ?? assert.fail('not an access token');
}

/** A JWT of this signer with other claims. */
const signed = (deps: ProtocolDependencies, claims: Claims, type: 'at+jwt' | 'JWT' = 'at+jwt') =>
  deps.signer.sign(claims, { algorithm: 'EdDSA', type });

/** Logs in, and redeems the code. */
async function codeFlow(deps: FlowDependencies, parameters: Record<string, string> = {}) {
  const code = (await deps.grant(parameters)).get('code') ?? assert.fail('no code');
  return deps.token({ grant_type: 'authorization_code', code, redirect_uri: 'https://app.example/cb' });
}

describe('a JWT after a client has lost a scope of the resource server', () => {
  it('does not have it, although OpenID Connect has one of that name, which the client is registered for', async () => {
    const deps = withJwts(await flowDependencies(), { scopes: ['read', 'groups'] });
    const app = { ...deps.webApp, scopes: ['read', 'groups'], openidScopes: ['groups'] as const };
    const scopeOf = async ({ access_token }: { readonly access_token: string }) =>
      (await claimsOf(deps, access_token)).scope;
    deps.store.putClient(app);
    const first = await codeFlow(deps, { scope: 'read groups' });
    assert.equal(await scopeOf(first), 'read groups');
    const code = (await deps.grant({ scope: 'read groups' })).get('code') ?? assert.fail('no code');
    deps.store.putClient({ ...app, scopes: ['read'] });
    const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token ?? '' };
    assert.equal(await scopeOf(await deps.token(refresh)), 'read');
    const redemption = { grant_type: 'authorization_code', code, redirect_uri: 'https://app.example/cb' };
    assert.equal(await scopeOf(await deps.token(redemption)), 'read');
  });
});

describe('a JWT of a client that acts for itself', () => {
  it('has the claims of RFC 9068, and times in whole seconds', async () => {
    const deps = withJwts(protocolDependencies());
    deps.clock.advance(999);
    const { jti, ...claims } = await claimsOf(deps, await issue(deps));
    const iat = Math.floor(deps.clock.now() / 1000);
    assert.deepEqual(claims, {
      iss: 'https://as.example',
      aud: 'test-api',
      sub: 'test-client',
      client_id: 'test-client',
      iat,
      exp: iat + 600,
      scope: 'read',
    });
    assert.match(String(jti), /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('writes nothing', async () => {
    const deps = withJwts(protocolDependencies());
    const { store } = deps;
    const refused = async () => assert.fail('a write');
    const accessTokens = { ...store.accessTokens, find: refused };
    const value = await issue({ ...deps, accessTokens });
    assert.equal(store.tokens.size, 0);
    assert.notEqual(await find(deps, value), undefined);
    assert.deepEqual(store.lookups, []);
  });

  it('is found with what it represents until it expires', async () => {
    const deps = withJwts(protocolDependencies());
    const value = await issue(deps);
    const found = await find(deps, value);
    assert.deepEqual(
      [found?.client.clientId, found?.subject, found?.principal.name, found?.scopes, found?.expired],
      ['test-client', 'test-client', 'test-client', ['read'], false],
    );
    deps.clock.advance(600_000);
    assert.ok((await find(deps, value))?.expired);
  });

  it('has no scope claim without a scope', async () => {
    const deps = withJwts(protocolDependencies());
    const value = await issue(deps, []);
    assert.ok(!('scope' in (await claimsOf(deps, value))));
    assert.deepEqual((await find(deps, value))?.scopes, []);
  });

  it('names the key to which it is bound', async () => {
    const deps = withJwts(protocolDependencies());
    const confirmation = { jkt: 'thumbprint' };
    const request = { client: clientOf(deps), scopes: [], confirmation };
    const { accessTokenValue } = await newAccessToken(request, deps);
    assert.deepEqual((await claimsOf(deps, accessTokenValue)).cnf, confirmation);
    assert.deepEqual((await find(deps, accessTokenValue))?.token.confirmation, confirmation);
  });

  it('never lives longer than a day', async () => {
    const deps = withJwts(protocolDependencies());
    for (const expireDuration of [0, 86_401, 10_000_000]) {
      deps.store.putClient({ ...deps.client, expireDuration });
      const { iat, exp } = await claimsOf(deps, await issue(deps));
      assert.equal(Number(exp) - Number(iat), 86_400);
    }
  });
});

describe('a JWT of a grant', () => {
  it('names the resource owner, the login and the grant', async () => {
    const deps = withJwts(await flowDependencies());
    const { access_token, expires_in } = await codeFlow(deps);
    assert.equal(expires_in, 300);
    const claims = await claimsOf(deps, access_token);
    const [use] = await deps.store.grants.listBySubject(String(claims.sub), deps.clock.now());
    const { grant } = use ?? assert.fail('no grant');
    assert.equal(claims.grant_id, grant.id);
    assert.equal(claims.auth_time, Math.floor(grant.authentication.authenticatedAt / 1000));
    assert.deepEqual([claims.roles, claims.groups], [['staff'], ['blue']]);
    assert.equal(claims.client_id, 'web-app');
    const found = await find(deps, access_token);
    assert.deepEqual([found?.token.grant?.id, found?.principal.name], [grant.id, 'emma']);
    // The revocation is stored at the shard of the grant.
    assert.equal(String(claims.jti).slice(15, 18), grant.id.slice(15, 18));
  });

  it('stores no access token when a code or a refresh token is exchanged', async () => {
    const deps = withJwts(await flowDependencies());
    const { refresh_token = '' } = await codeFlow(deps);
    const next = await deps.token({ grant_type: 'refresh_token', refresh_token });
    assert.equal(deps.store.tokens.size, 0);
    assert.equal((await find(deps, next.access_token))?.client.clientId, 'web-app');
    const again = await deps.token({ grant_type: 'refresh_token', refresh_token });
    assert.equal(again.access_token, next.access_token);
  });

  it('has the issuer as a second audience when openid is granted, but not for a scope of that name of the resource server', async () => {
    for (const [own, aud] of [
      [
        ['read', 'write'],
        ['test-api', 'https://as.example'],
      ],
      [['read', 'openid'], 'test-api'],
    ] as const) {
      const deps = withJwts(protocolDependencies(), { scopes: [...own] });
      deps.store.putClient(
        buildClient({ expireDuration: 600, scopes: [...own], redirectUris: ['https://app.example/cb'] }),
      );
      const value = await issue(deps, ['read', 'openid']);
      assert.deepEqual((await claimsOf(deps, value)).aud, aud);
      const answer = await introspectionEndpoint(deps)(introspectRequest(value, 'test-client:client-secret'));
      assert.deepEqual([answer.active, answer.active && answer.aud], [true, aud]);
    }
  });

  it('is stored by nothing but its grant in the implicit grant', async () => {
    const deps = withJwts(await flowDependencies());
    const implicit = { allowedImplicitGrant: true, confidential: false, secret: undefined };
    deps.store.putClient({ ...deps.webApp, ...implicit, expireDuration: 120, includePrincipal: true });
    const answered = await deps.grant({ response_type: 'token' });
    const value = answered.get('access_token') ?? '';
    assert.equal(answered.get('expires_in'), '120');
    assert.equal(answered.get('principal'), 'Emma');
    assert.equal(deps.store.tokens.size, 0);
    assert.equal((await find(deps, value))?.principal.name, 'emma');
  });
});

describe('a JWT is refused', () => {
  it('when its grant is revoked', async () => {
    const deps = withJwts(await flowDependencies());
    const { access_token } = await codeFlow(deps);
    const { grant_id } = await claimsOf(deps, access_token);
    await deps.store.grants.revoke(String(grant_id), deps.clock.now());
    assert.equal(await find(deps, access_token), undefined);
  });

  it('when its code is redeemed again', async () => {
    const deps = withJwts(await flowDependencies());
    const code = (await deps.grant()).get('code') ?? '';
    const form = { grant_type: 'authorization_code', code, redirect_uri: 'https://app.example/cb' };
    const { access_token } = await deps.token(form);
    await assert.rejects(deps.token(form));
    assert.equal(await find(deps, access_token), undefined);
  });

  it('when its client revokes it, and no other JWT is', async () => {
    const deps = withJwts(protocolDependencies());
    const [value, other] = [await issue(deps), await issue(deps)];
    const stranger = deps.store.putClient(buildClient({ id: 7, clientId: 'sibling' }));
    await revocationEndpoint(deps)(introspectRequest(value, `${stranger.clientId}:client-secret`));
    assert.notEqual(await find(deps, value), undefined);
    const self = introspectRequest(value, 'test-client:client-secret');
    await revocationEndpoint(deps)(self);
    await revocationEndpoint(deps)(self);
    assert.equal(await find(deps, value), undefined);
    assert.notEqual(await find(deps, other), undefined);
    const { exp, jti } = await claimsOf(deps, value);
    const [stored, ...more] = await deps.store.revocations.listTokens({ from: 0, limit: 9 });
    assert.deepEqual([stored?.id, stored?.expires, more], [jti, Number(exp) * 1000, []]);
  });

  it('when its refresh token is revoked', async () => {
    const deps = withJwts(await flowDependencies());
    const { access_token, refresh_token = '' } = await codeFlow(deps);
    await revocationEndpoint(deps)(introspectRequest(refresh_token, 'web-app:client-secret'));
    assert.equal(await find(deps, access_token), undefined);
  });

  it('when all tokens of its client are revoked, while one that is issued in the same second is valid', async () => {
    const deps = withJwts(protocolDependencies());
    deps.clock.advance(200);
    const before = await issue(deps);
    deps.clock.advance(300);
    await deps.store.clients.revokeTokens(deps.client.id, deps.clock.now());
    assert.equal(await find(deps, before), undefined);
    const after = await issue(deps);
    assert.notEqual(await find(deps, after), undefined);
    const [first, second] = [await claimsOf(deps, before), await claimsOf(deps, after)];
    assert.ok(Number(second.iat) > Math.floor(deps.clock.now() / 1000));
    assert.ok(Number(first.iat) <= Math.floor(deps.clock.now() / 1000));
  });

  it('when its client or its resource server is deleted', async () => {
    for (const remove of [
      (deps: ProtocolDependencies) => deps.store.clients.delete(deps.client.id),
      (deps: ProtocolDependencies) => deps.store.resourceServers.delete(deps.resourceServer.id),
    ]) {
      const deps = withJwts(protocolDependencies());
      const value = await issue(deps);
      assert.ok(await remove(deps));
      assert.equal(await find(deps, value), undefined);
    }
  });

  it('when the identity provider of its owner is not configured, and is revoked for ever meanwhile', async () => {
    const deps = withJwts(await flowDependencies());
    const { access_token } = await codeFlow(deps);
    const other = await codeFlow(deps);
    deps.identityProviders.gone.add('test-login');
    assert.equal(await find(deps, access_token), undefined);
    await revocationEndpoint(deps)(introspectRequest(access_token, 'web-app:client-secret'));
    deps.identityProviders.gone.delete('test-login');
    assert.equal(await find(deps, access_token), undefined);
    assert.notEqual(await find(deps, other.access_token), undefined);
  });

  it('while its resource server has opaque tokens, and is revoked for ever meanwhile', async () => {
    const deps = withJwts(protocolDependencies());
    const [value, other] = [await issue(deps), await issue(deps)];
    deps.store.putResourceServer(buildResourceServer());
    assert.equal(await find(deps, value), undefined);
    await revocationEndpoint(deps)(introspectRequest(value, 'test-client:client-secret'));
    withJwts(deps);
    assert.equal(await find(deps, value), undefined);
    assert.notEqual(await find(deps, other), undefined);
  });

  it('when it is for another issuer or resource server, or is no access token', async () => {
    const deps = withJwts(protocolDependencies());
    const claims = await claimsOf(deps, await issue(deps));
    assert.notEqual(await find(deps, await signed(deps, claims)), undefined);
    for (const change of [
      { iss: 'https://other.example' },
      { aud: 'other-api' },
      { aud: ['https://as.example'] },
      { aud: undefined },
      { jti: undefined },
      { jti: 'x' },
      { exp: undefined },
      { exp: '1' },
      { iat: undefined },
      { client_id: undefined },
      { client_id: 'unknown' },
      { scope: ['read'] },
      { grant_id: 'x' },
    ]) {
      const value = await signed(deps, { ...claims, ...change });
      assert.equal(await find(deps, value), undefined, JSON.stringify(change));
    }
    assert.equal(await find(deps, await signed(deps, claims, 'JWT')), undefined);
  });

  it('when its grant is that of another client, as after a client of the same clientId was deleted', async () => {
    const deps = withJwts(await flowDependencies());
    const { access_token } = await codeFlow(deps);
    await deps.store.clients.delete(deps.webApp.id);
    deps.store.putClient({ ...deps.webApp, id: 77 });
    assert.equal(await find(deps, access_token), undefined);
  });
});

describe('the length of a JWT', () => {
  const limit = 14_336;
  const rule = 'access_token_length';

  /** A client whose scopes have so many characters in all. */
  function withScopes(deps: ProtocolDependencies, characters: number): string[] {
    const scopes: string[] = [];
    for (let left = characters; left > 0; left -= 101)
      scopes.push(String(scopes.length).padEnd(Math.min(left, 100), 's'));
    deps.store.putResourceServer(buildResourceServer({ accessTokenFormat: 'jwt', scopes }));
    deps.store.putClient({ ...clientOf(deps), scopes });
    return scopes;
  }

  it('is at most 14,336 characters: with scopes beyond that, the error is invalid_scope', async () => {
    const deps = withJwts(protocolDependencies());
    const usual = (await issue(deps, withScopes(deps, 1000))).length;
    const most = 1000 + Math.floor(((limit - usual) * 3) / 4);
    assert.ok(limit - (await issue(deps, withScopes(deps, most - 2))).length < 8);
    await assert.rejects(issue(deps, withScopes(deps, most + 8)), (error) => {
      assert.ok(error instanceof RedirectableError);
      assert.equal(error.kind, 'invalid_scope');
      assert.equal(error.rule, rule);
      assert.equal(error.expected, 'an access token of at most 14336 characters');
      assert.match(error.came ?? '', /^143\d\d characters, about 1\d{4} of them for \d+ scopes$/);
      assert.match(error.reason ?? '', /of the client test-client /);
      return true;
    });
  });

  it('beyond that by roles and groups of the user is server_error', async () => {
    let groups = Array.from({ length: 300 }, (_, index) => `group ${index} ${'g'.repeat(40)}`);
    const authenticator: AuthenticationModule = {
      name: 'test-login',
      begin: async () => ({ type: 'form' }),
      resume: async () => ({ type: 'authenticated', principal: emma({ groups }) }),
    };
    const deps = withJwts(await flowDependencies({ authenticator }));
    await assert.rejects(codeFlow(deps), { kind: 'server_error', rule });
    groups = groups.slice(0, 150);
    assert.ok((await codeFlow(deps)).access_token.length > 8192);
  });

  it('is reported with the client when it comes near that', async () => {
    const deps = withJwts(protocolDependencies());
    await issue(deps, withScopes(deps, 6000));
    assert.equal(deps.longTokens.length, 0);
    const { length } = await issue(deps, withScopes(deps, 9000));
    await assert.rejects(issue(deps, withScopes(deps, 12_000)));
    const [first, second] = deps.longTokens;
    assert.deepEqual(first, { clientId: clientOf(deps).clientId, characters: length });
    assert.ok(second && second.characters > limit);
  });
});

describe('an opaque token', () => {
  it('is valid until its end when its resource server has JWTs from now on', async () => {
    const deps = protocolDependencies();
    const value = await issue(deps);
    withJwts(deps);
    assert.match(value, /^wwa_/);
    assert.equal((await find(deps, value))?.token.format, 'opaque');
  });
});

describe('the scopes of a JWT', () => {
  it('shrink with those of its client', async () => {
    const deps = withJwts(protocolDependencies());
    const value = await issue(deps, ['read', 'write']);
    deps.store.putClient({ ...clientOf(deps), scopes: ['write'] });
    assert.deepEqual((await find(deps, value))?.scopes, ['write']);
    const answer = await introspectionEndpoint(deps)(
      introspectRequest(value, 'test-api:resource-server-secret'),
    );
    assert.equal(answer.active && answer.scope, 'write');
  });
});
