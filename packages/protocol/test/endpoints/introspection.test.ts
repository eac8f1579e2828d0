import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  buildClient,
  buildPublicClient,
  buildResourceServer,
  clientRequest,
  emma,
  flowDependencies,
  introspectRequest,
  machineSecret,
  type ProtocolDependencies,
  protocolDependencies,
  protocolError,
} from '@watchword/testkit';
import { type Introspection, introspectionEndpoint } from '../../src/endpoints/introspection.ts';
import { revocationEndpoint } from '../../src/endpoints/revocation.ts';
import type { Client } from '../../src/model/records/client.ts';
import type { ResourceServer } from '../../src/model/records/resource-server.ts';
import { createBearerValue } from '../../src/tokens/bearer-value.ts';

const owner = 'test-api:resource-server-secret';
const self = 'test-client:client-secret';
const inactive = { active: false };
type Active = Extract<Introspection, { active: true }>;

function ask(deps: ProtocolDependencies, token: string, credentials: string) {
  return introspectionEndpoint(deps)(introspectRequest(token, credentials));
}

describe('introspection', () => {
  it('shows an active token to its resource server and its client, with times in seconds', async () => {
    const deps = protocolDependencies();
    const token = await deps.issue(deps.store.putClient(buildClient({ expireDuration: 60 })), ['read']);
    const iat = Math.floor(deps.clock.now() / 1000);
    deps.clock.advance(1000);
    for (const credentials of [owner, self]) {
      assert.deepEqual(await ask(deps, token, credentials), {
        active: true,
        scope: 'read',
        client_id: 'test-client',
        username: 'test-client',
        token_type: 'bearer',
        exp: iat + 60,
        iat,
        sub: 'test-client',
        aud: 'test-api',
        iss: 'https://as.example',
      });
    }
  });

  it('has the jti of a JWT, and none of an opaque token', async () => {
    const deps = protocolDependencies();
    const ask = async (token: string) =>
      introspectionEndpoint(deps)(introspectRequest(token, 'test-api:resource-server-secret'));
    assert.ok(!('jti' in (await ask(await deps.issue()))));
    deps.store.putResourceServer(buildResourceServer({ accessTokenFormat: 'jwt' }));
    const token = await deps.issue(deps.store.putClient(buildClient({ expireDuration: 60 })));
    const claims = await deps.signer.verify(token, { type: 'at+jwt', keys: 'published' });
    const { jti } = { jti: undefined, ...(await ask(token)) };
    assert.equal(jti, claims?.jti);
    assert.equal(typeof jti, 'string');
  });

  it('leaves exp out when the token does not expire', async () => {
    const deps = protocolDependencies();
    const answer = await ask(deps, await deps.issue(), owner);
    assert.ok(answer.active);
    assert.ok(!('exp' in answer));
  });

  it('leaves out scopes that the client lost', async () => {
    const deps = protocolDependencies();
    const token = await deps.issue();
    deps.store.putClient(buildClient({ scopes: ['write'] }));
    const answer = await ask(deps, token, owner);
    assert.equal(answer.active && answer.scope, 'write');
  });

  it('answers only inactive for a token that is expired, revoked, unknown or malformed', async () => {
    const deps = protocolDependencies();
    const expired = await deps.issue(buildClient({ expireDuration: 1 }));
    deps.clock.advance(1000);
    for (const credentials of [owner, self])
      assert.deepEqual(await ask(deps, expired, credentials), inactive);
    const live = await deps.issue();
    await deps.store.clients.revokeTokens(deps.client.id, deps.clock.now());
    for (const token of [expired, live, 'garbage']) {
      assert.deepEqual(await ask(deps, token, owner), inactive);
      assert.deepEqual(await ask(deps, token, self), inactive);
    }
  });

  it('answers only inactive for a token of another resource server or another client', async () => {
    const deps = protocolDependencies();
    const secret = machineSecret('other-secret');
    deps.store.putResourceServer(buildResourceServer({ id: 2, key: 'other-api', secret }));
    deps.store.putClient(buildClient({ id: 7, clientId: 'sibling', secret }));
    const token = await deps.issue();
    for (const credentials of ['other-api:other-secret', 'sibling:other-secret']) {
      assert.deepEqual(await ask(deps, token, credentials), inactive);
    }
  });

  it('does not take equal record ids of a client and a resource server for one another', async () => {
    const deps = protocolDependencies();
    const secret = machineSecret('other-secret');
    // Client 1 is the token's; resource server 5 has a client with the record id of the token's server.
    deps.store.putResourceServer(buildResourceServer({ id: 5, key: 'other-api', secret }));
    deps.store.putClient(buildClient({ id: 5, clientId: 'five', resourceServerId: 5, secret }));
    const token = await deps.issue(
      deps.store.putClient(buildClient({ id: 6, clientId: 'six', resourceServerId: 5 })),
    );
    assert.deepEqual(await ask(deps, token, 'five:other-secret'), inactive);
  });

  it('rejects public clients, unknown callers and a request without a token', async () => {
    const deps = protocolDependencies();
    deps.store.putClient(buildPublicClient());
    const endpoint = introspectionEndpoint(deps);
    const token = await deps.issue();
    await assert.rejects(
      endpoint(clientRequest({ token, client_id: 'public-client' })),
      protocolError('invalid_client'),
    );
    await assert.rejects(ask(deps, token, 'nobody:x'), protocolError('invalid_client'));
    await assert.rejects(endpoint(clientRequest({}, owner)), protocolError('invalid_request'));
    await assert.rejects(endpoint(clientRequest({ token: '' }, owner)), protocolError('invalid_request'));
  });

  it('authenticates the caller before it looks at the token', async () => {
    const deps = protocolDependencies();
    const endpoint = introspectionEndpoint(deps);
    await assert.rejects(endpoint(clientRequest({}, 'test-api:wrong')), protocolError('invalid_client'));
    await assert.rejects(ask(deps, await deps.issue(), 'test-api:wrong'), protocolError('invalid_client'));
    assert.deepEqual(deps.store.lookups, []);
  });
});

describe('introspection of a token of a user', () => {
  /** The answers to the client and to the resource server for a token of emma. */
  async function answers(
    client: Partial<Client>,
    scope: string,
    resourceServer: Partial<ResourceServer> = {},
  ) {
    const deps = await flowDependencies();
    deps.store.putResourceServer(buildResourceServer(resourceServer));
    const webApp = deps.store.putClient({ ...deps.webApp, openidScopes: ['profile', 'email'], ...client });
    const code = (await deps.grant({ scope })).get('code') ?? '';
    const redirect_uri = 'https://app.example/cb';
    const redemption = { grant_type: 'authorization_code', code, redirect_uri };
    const { access_token: token } = await deps.token(redemption);
    const toClient = await ask(deps, token, 'web-app:client-secret');
    const toApi = await ask(deps, token, owner);
    assert.ok(toClient.active && toApi.active);
    return { deps, webApp, token, toClient, toApi };
  }
  const pairwise = { subjectType: 'pairwise' } as const;

  it('answers a client with pairwise subjects without the name of the user, but with the scope profile', async () => {
    for (const [client, scope, username] of [
      [pairwise, 'openid email read', undefined],
      [pairwise, 'read', undefined],
      [pairwise, 'openid profile', 'emma'],
      [{}, 'openid email read', 'emma'],
    ] as const) {
      const { toClient, toApi } = await answers(client, scope);
      assert.equal(toClient.username, username, scope);
      assert.equal('username' in toClient, username !== undefined);
      assert.equal(toApi.username, 'emma');
    }
  });

  it('answers a client with pairwise subjects without the name when its API has a scope profile of its own', async () => {
    const scopes = ['read', 'write', 'profile'];
    const { toClient } = await answers({ ...pairwise, scopes }, 'openid profile', { scopes });
    assert.equal(toClient.username, undefined);
  });

  it('answers a client without the name once it lost the scope profile', async () => {
    const { deps, webApp, token } = await answers(pairwise, 'openid profile');
    deps.store.putClient({ ...webApp, openidScopes: ['email'] });
    const answer = await ask(deps, token, 'web-app:client-secret');
    assert.ok(answer.active);
    assert.equal(answer.username, undefined);
  });

  it('answers a client with its pairwise subject, and its resource server with the public one', async () => {
    const { toClient: open, toApi } = await answers({}, 'openid');
    const { deps, webApp, toClient, toApi: ofPairwise } = await answers(pairwise, 'openid');
    assert.equal(open.sub, toApi.sub);
    assert.equal(ofPairwise.sub, toApi.sub);
    assert.notEqual(toClient.sub, toApi.sub);
    const owner = { subject: toApi.sub ?? '', identityProvider: 'test-login', principal: emma() };
    assert.equal(toClient.sub, deps.subjects.subjectFor(webApp, owner));
  });

  it('names a client that acts for itself, also with pairwise subjects', async () => {
    const deps = protocolDependencies();
    const token = await deps.issue(deps.store.putClient(buildClient(pairwise)));
    const answer = await ask(deps, token, self);
    assert.deepEqual(answer.active && [answer.username, answer.sub], ['test-client', 'test-client']);
  });
});

describe('introspection of a refresh token', () => {
  const caller = 'web-app:client-secret';

  /** What a client got for a code of emma. */
  async function issued(client: Partial<Client> = {}, scope = 'openid read') {
    const deps = await flowDependencies();
    const webApp = deps.store.putClient({ ...deps.webApp, ...client });
    const code = (await deps.grant({ scope })).get('code') ?? '';
    const redirect_uri = 'https://app.example/cb';
    const { refresh_token: token = '' } = await deps.token({
      grant_type: 'authorization_code',
      code,
      redirect_uri,
    });
    const refresh = () => deps.token({ grant_type: 'refresh_token', refresh_token: token });
    return { deps, webApp, token, refresh };
  }

  it('answers its client, whatever token_type_hint says', async () => {
    const { deps, token } = await issued();
    const iat = Math.floor(deps.clock.now() / 1000);
    for (const token_type_hint of [undefined, 'refresh_token', 'access_token', 'unknown']) {
      const form = { token, ...(token_type_hint && { token_type_hint }) };
      const { sub, ...answer } = (await introspectionEndpoint(deps)(clientRequest(form, caller))) as Active;
      assert.deepEqual(answer, {
        active: true,
        scope: 'openid read',
        client_id: 'web-app',
        username: 'emma',
        exp: iat + 1000,
        iat,
        iss: 'https://as.example',
      });
      assert.match(sub ?? '', /^.{20,}$/);
    }
  });

  it('answers only inactive to any other caller, as for an unknown token', async () => {
    const { deps, token } = await issued();
    const secret = machineSecret('other-secret');
    deps.store.putClient(buildClient({ id: 77, clientId: 'sibling', secret, useRefreshTokens: true }));
    for (const credentials of ['sibling:other-secret', owner]) {
      assert.deepEqual(await ask(deps, token, credentials), inactive);
    }
    const unknown = createBearerValue('refresh', deps.clock.now(), deps.random).value;
    assert.deepEqual(await ask(deps, unknown, caller), inactive);
  });

  it('answers only inactive once the token is rotated, also within the grace, and active for its successor', async () => {
    const { deps, token, refresh } = await issued();
    const { refresh_token: successor = '' } = await refresh();
    assert.deepEqual(await ask(deps, token, caller), inactive);
    assert.ok((await ask(deps, successor, caller)).active);
  });

  it('changes neither rotation nor grace', async () => {
    const { deps, token, refresh } = await issued();
    await ask(deps, token, caller);
    const first = await refresh();
    for (const value of [token, first.refresh_token ?? '', token]) await ask(deps, value, caller);
    assert.deepEqual([await refresh(), await refresh()], [first, first]);
  });

  it('answers only inactive once the token is expired or revoked, or its client has lost refresh tokens', async () => {
    const { deps, webApp, token } = await issued();
    deps.store.putClient({ ...webApp, useRefreshTokens: false });
    assert.deepEqual(await ask(deps, token, caller), inactive);
    deps.store.putClient(webApp);
    assert.ok((await ask(deps, token, caller)).active);
    deps.clock.advance(1_000_000);
    assert.deepEqual(await ask(deps, token, caller), inactive);

    const second = await issued();
    await second.deps.store.clients.revokeTokens(second.webApp.id, second.deps.clock.now());
    assert.deepEqual(await ask(second.deps, second.token, caller), inactive);

    const third = await issued();
    await revocationEndpoint(third.deps)(clientRequest({ token: third.token }, caller));
    assert.deepEqual(await ask(third.deps, third.token, caller), inactive);
  });

  it('answers a client with pairwise subjects without the name of the user', async () => {
    const { deps, token } = await issued({ subjectType: 'pairwise' });
    const answer = (await ask(deps, token, caller)) as Active;
    assert.ok(!('username' in answer));
  });
});

describe('an introspection request that fails', () => {
  it('is reported to the owner of the client that asks, and to nobody if a resource server does', async () => {
    const deps = protocolDependencies();
    for (const [credentials, reported] of [
      [self, [deps.client.id]],
      [owner, []],
    ] as const) {
      await assert.rejects(ask(deps, '', credentials), protocolError('invalid_request'));
      const { failures } = deps.requestErrorLog;
      assert.deepEqual(
        failures.splice(0).map(({ clientRecordId }) => clientRecordId),
        reported,
      );
    }
  });
});
