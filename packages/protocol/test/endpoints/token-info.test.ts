import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  basic,
  buildClient,
  buildResourceServer,
  clientRequest,
  machineSecret,
  type ProtocolDependencies,
  protocolDependencies,
  protocolError,
} from '@watchword/testkit';
import { tokenInfoEndpoint } from '../../src/endpoints/token-info.ts';
import { findAccessToken } from '../../src/tokens/find-access-token.ts';
import { newAccessToken } from '../../src/tokens/issue-access-token.ts';

const owner = 'test-api:resource-server-secret';
const stranger = 'other-api:other-secret';

function ask(deps: ProtocolDependencies, token: string, credentials = owner) {
  return tokenInfoEndpoint(deps)(clientRequest({}, credentials), () => token);
}

function depsWithStranger(): ProtocolDependencies {
  const deps = protocolDependencies();
  deps.store.putResourceServer(
    buildResourceServer({ id: 2, key: 'other-api', name: 'Other', secret: machineSecret('other-secret') }),
  );
  return deps;
}

describe('token info', () => {
  it('has exactly the keys of the contract', async () => {
    const deps = protocolDependencies();
    assert.deepEqual(await ask(deps, await deps.issue()), {
      audience: 'Test Client',
      scopes: ['read', 'write'],
      principal: { name: 'test-client', roles: [], groups: [], adminPrincipal: false, attributes: {} },
      expires_in: 0,
    });
  });

  it('names the key to which a token is bound', async () => {
    const deps = protocolDependencies();
    for (const confirmation of [{ jkt: 'thumbprint' }, { 'x5t#S256': 'thumbprint' }]) {
      const request = { client: deps.client, scopes: ['read'], confirmation };
      const made = await newAccessToken(request, deps);
      await deps.accessTokens.insert(made.accessToken);
      assert.deepEqual((await ask(deps, made.accessTokenValue)).cnf, confirmation);
    }
  });

  it('names a resource server that asks in vain only to a record owner who owns it too', async () => {
    for (const [changes, named] of [
      [{}, true],
      [{ owner: 'finn' }, false],
      [{ ownerAuthority: 'https://idp.example' }, false],
    ] as const) {
      const deps = depsWithStranger();
      const { owner: name, ownerAuthority } = deps.resourceServer;
      deps.store.putResourceServer(
        buildResourceServer({
          id: 2,
          key: 'other-api',
          name: 'Other',
          secret: machineSecret('other-secret'),
          owner: name,
          ownerAuthority,
          ...changes,
        }),
      );
      const error = await ask(deps, await deps.issue(), stranger).catch((caught) => caught);
      assert.ok(protocolError('token_not_found')(error));
      assert.equal(error.came.includes('other-api'), named);
    }
  });

  it('has the absolute expiry in epoch milliseconds', async () => {
    const deps = protocolDependencies();
    const token = await deps.issue(deps.store.putClient(buildClient({ expireDuration: 60 })));
    const expected = deps.clock.now() + 60_000;
    deps.clock.advance(30_000);
    assert.equal((await ask(deps, token)).expires_in, expected);
  });

  it('has the granted scopes that the client still has', async () => {
    const deps = protocolDependencies();
    const token = await deps.issue(deps.client, ['write', 'read']);
    deps.store.putClient(buildClient({ scopes: ['read', 'admin'] }));
    assert.deepEqual((await ask(deps, token)).scopes, ['read']);
    deps.store.putClient(buildClient({ scopes: [] }));
    assert.deepEqual((await ask(deps, token)).scopes, []);
  });

  it('follows the client name and the client lifetime of the time of issue', async () => {
    const deps = protocolDependencies();
    const token = await deps.issue();
    deps.store.putClient(buildClient({ clientName: 'Renamed', expireDuration: 1 }));
    const { audience, expires_in } = await ask(deps, token);
    assert.deepEqual({ audience, expires_in }, { audience: 'Renamed', expires_in: 0 });
  });
});

describe('token info answers token_not_found', () => {
  const changed = async (deps: ProtocolDependencies) => (await deps.issue()).replace(/.$/, '!');
  const cases: Record<string, (deps: ProtocolDependencies) => Promise<string>> = {
    'for garbage': async () => 'garbage',
    'for a token with a character changed': changed,
    'for a token that was never stored': async (deps) => {
      const token = await deps.issue();
      deps.store.tokens.clear();
      return token;
    },
    'for a token whose verifier is another': async (deps) => {
      const token = await deps.issue();
      for (const [id, row] of deps.store.tokens) {
        deps.store.tokens.set(id, { ...row, verifierHash: Buffer.alloc(32) });
      }
      return token;
    },
    'for a revoked token': async (deps) => {
      const token = await deps.issue();
      for (const id of deps.store.tokens.keys()) await deps.accessTokens.revoke(id);
      return token;
    },
    'when the client is deleted': async (deps) => {
      const token = await deps.issue();
      await deps.store.clients.delete(deps.client.id);
      return token;
    },
    "for another resource server's client": async (deps) =>
      deps.issue(deps.store.putClient(buildClient({ id: 7, clientId: 'foreign', resourceServerId: 2 }))),
    "for another resource server's client, expired": async (deps) => {
      const foreign = buildClient({ id: 7, clientId: 'foreign', resourceServerId: 2, expireDuration: 1 });
      const token = await deps.issue(deps.store.putClient(foreign));
      deps.clock.advance(5000);
      return token;
    },
    'for a revoked token that would have expired': async (deps) => {
      const token = await deps.issue(deps.store.putClient(buildClient({ expireDuration: 1 })));
      deps.clock.advance(5000);
      await deps.store.clients.revokeTokens(deps.client.id, deps.clock.now());
      return token;
    },
  };
  for (const [what, prepare] of Object.entries(cases)) {
    it(what, async () => {
      const deps = depsWithStranger();
      await assert.rejects(ask(deps, await prepare(deps)), protocolError('token_not_found'));
    });
  }

  it('when the resource server of the client was deleted, for every caller', async () => {
    const deps = depsWithStranger();
    const { id: resourceServerId } = deps.store.putResourceServer(
      buildResourceServer({ id: 99, key: 'deleted-api' }),
    );
    const token = await deps.issue(deps.store.putClient(buildClient({ id: 7, resourceServerId })));
    await deps.store.resourceServers.delete(resourceServerId);
    for (const credentials of [owner, stranger]) {
      await assert.rejects(ask(deps, token, credentials), protocolError('token_not_found'));
    }
  });

  it('when only its resource server is gone', async () => {
    const deps = protocolDependencies();
    const token = await deps.issue();
    const registry = { ...deps.registry, resourceServerById: () => undefined };
    assert.equal(await findAccessToken(token, { ...deps, registry }), undefined);
  });

  it("for a token issued at or before the client's tokensValidFrom, not for one issued after", async () => {
    const deps = protocolDependencies();
    const before = await deps.issue();
    deps.clock.advance(1);
    const at = await deps.issue();
    await deps.store.clients.revokeTokens(deps.client.id, deps.clock.now());
    deps.clock.advance(1);
    const after = await deps.issue();
    await assert.rejects(ask(deps, before), protocolError('token_not_found'));
    await assert.rejects(ask(deps, at), protocolError('token_not_found'));
    assert.equal((await ask(deps, after)).audience, 'Test Client');
  });

  it('for garbage without asking the store', async () => {
    const deps = protocolDependencies();
    for (const token of ['garbage', `wwa_${'A'.repeat(70)}`, await changed(deps)]) {
      await assert.rejects(ask(deps, token), protocolError('token_not_found'));
    }
    assert.deepEqual(deps.store.lookups, []);
  });
});

describe('token info of an expired token', () => {
  it('is token_expired for its resource server from its expiry on, and not_found for any other', async () => {
    const deps = depsWithStranger();
    const token = await deps.issue(deps.store.putClient(buildClient({ expireDuration: 60 })));
    deps.clock.advance(59_999);
    assert.equal((await ask(deps, token)).audience, 'Test Client');
    deps.clock.advance(1);
    await assert.rejects(ask(deps, token), protocolError('token_expired'));
    await assert.rejects(ask(deps, token, stranger), protocolError('token_not_found'));
  });
});

describe('the caller of token info', () => {
  it('is authenticated before the token is read or looked up', async () => {
    const deps = protocolDependencies();
    const headers = [undefined, '', 'Basic', basic('test-api:wrong'), basic('nobody:x')];
    for (const authorization of [...headers, basic('test-client:client-secret')]) {
      const readToken = () => assert.fail('the token was read');
      const answer = tokenInfoEndpoint(deps)({ ...clientRequest(), headers: { authorization } }, readToken);
      await assert.rejects(answer, protocolError('invalid_client'));
    }
    assert.deepEqual(deps.store.lookups, []);
  });
});
