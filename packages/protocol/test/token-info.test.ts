import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  basic,
  buildClient,
  buildResourceServer,
  machineSecret,
  type ProtocolWorld,
  protocolWorld,
  refusal,
} from '@watchword/testkit';
import { tokenInfoEndpoint } from '../src/tokens/token-info.ts';

const owner = 'test-api:resource-server-secret';
const stranger = 'other-api:other-secret';

function ask(world: ProtocolWorld, token: string, credentials = owner) {
  return tokenInfoEndpoint(world)({
    authorization: basic(credentials),
    source: '192.0.2.1',
    token: () => token,
  });
}

function worldWithStranger(): ProtocolWorld {
  const world = protocolWorld();
  world.store.putResourceServer(
    buildResourceServer({ id: 2, key: 'other-api', name: 'Other', secret: machineSecret('other-secret') }),
  );
  return world;
}

describe('token info', () => {
  it('has exactly the keys of the contract', async () => {
    const world = protocolWorld();
    assert.deepEqual(await ask(world, await world.issue()), {
      audience: 'Test Client',
      scopes: ['read', 'write'],
      principal: { name: 'test-client', roles: [], groups: [], adminPrincipal: false, attributes: {} },
      expires_in: 0,
    });
  });

  it('says the absolute expiry in epoch milliseconds', async () => {
    const world = protocolWorld();
    const token = await world.issue(world.store.putClient(buildClient({ expireDuration: 60 })));
    const expected = world.clock.now() + 60_000;
    world.clock.advance(30_000);
    assert.equal((await ask(world, token)).expires_in, expected);
  });

  it('says which granted scopes the client still has', async () => {
    const world = protocolWorld();
    const token = await world.issue(world.client, ['write', 'read']);
    world.store.putClient(buildClient({ scopes: ['read', 'admin'] }));
    assert.deepEqual((await ask(world, token)).scopes, ['read']);
    world.store.putClient(buildClient({ scopes: [] }));
    assert.deepEqual((await ask(world, token)).scopes, []);
  });

  it('follows the client name and the client lifetime of the time of issue', async () => {
    const world = protocolWorld();
    const token = await world.issue();
    world.store.putClient(buildClient({ clientName: 'Renamed', expireDuration: 1 }));
    const { audience, expires_in } = await ask(world, token);
    assert.deepEqual({ audience, expires_in }, { audience: 'Renamed', expires_in: 0 });
  });
});

describe('token info answers token_not_found', () => {
  const changed = async (world: ProtocolWorld) => (await world.issue()).replace(/.$/, '!');
  const cases: Record<string, (world: ProtocolWorld) => Promise<string>> = {
    'for garbage': async () => 'garbage',
    'for a token with a character changed': changed,
    'for a token that was never stored': async (world) => {
      const token = await world.issue();
      world.store.tokens.clear();
      return token;
    },
    'for a token whose verifier is another': async (world) => {
      const token = await world.issue();
      for (const [id, row] of world.store.tokens) {
        world.store.tokens.set(id, { ...row, verifierHash: Buffer.alloc(32) });
      }
      return token;
    },
    'for a revoked token': async (world) => {
      const token = await world.issue();
      for (const id of world.store.tokens.keys()) await world.accessTokens.revoke(id);
      return token;
    },
    'when the client is deleted': async (world) => {
      const token = await world.issue();
      await world.store.clients.delete(world.client.id);
      return token;
    },
    "for another resource server's client": async (world) =>
      world.issue(world.store.putClient(buildClient({ id: 7, clientId: 'foreign', resourceServerId: 2 }))),
    "for another resource server's client, expired": async (world) => {
      const foreign = buildClient({ id: 7, clientId: 'foreign', resourceServerId: 2, expireDuration: 1 });
      const token = await world.issue(world.store.putClient(foreign));
      world.clock.advance(5000);
      return token;
    },
    'for a revoked token that would have expired': async (world) => {
      const token = await world.issue(world.store.putClient(buildClient({ expireDuration: 1 })));
      world.clock.advance(5000);
      await world.store.clients.revokeTokens(world.client.id, world.clock.now());
      return token;
    },
  };
  for (const [what, prepare] of Object.entries(cases)) {
    it(what, async () => {
      const world = worldWithStranger();
      await assert.rejects(ask(world, await prepare(world)), refusal('token_not_found'));
    });
  }

  it('when the resource server of the client is gone, whoever asks', async () => {
    const world = worldWithStranger();
    const token = await world.issue(world.store.putClient(buildClient({ id: 7, resourceServerId: 99 })));
    for (const credentials of [owner, stranger]) {
      await assert.rejects(ask(world, token, credentials), refusal('token_not_found'));
    }
  });

  it("for a token issued at or before the client's tokensValidFrom, not for one issued after", async () => {
    const world = protocolWorld();
    const before = await world.issue();
    world.clock.advance(1);
    const at = await world.issue();
    await world.store.clients.revokeTokens(world.client.id, world.clock.now());
    world.clock.advance(1);
    const after = await world.issue();
    await assert.rejects(ask(world, before), refusal('token_not_found'));
    await assert.rejects(ask(world, at), refusal('token_not_found'));
    assert.equal((await ask(world, after)).audience, 'Test Client');
  });

  it('for garbage without asking the store', async () => {
    const world = protocolWorld();
    for (const token of ['garbage', `wwa_${'A'.repeat(70)}`, await changed(world)]) {
      await assert.rejects(ask(world, token), refusal('token_not_found'));
    }
    assert.deepEqual(world.store.lookups, []);
  });
});

describe('token info of an expired token', () => {
  it('is token_expired for the owner from the moment of expiry on, and not_found for anyone else', async () => {
    const world = worldWithStranger();
    const token = await world.issue(world.store.putClient(buildClient({ expireDuration: 60 })));
    world.clock.advance(59_999);
    assert.equal((await ask(world, token)).audience, 'Test Client');
    world.clock.advance(1);
    await assert.rejects(ask(world, token), refusal('token_expired'));
    await assert.rejects(ask(world, token, stranger), refusal('token_not_found'));
  });
});

describe('the caller of token info', () => {
  it('is authenticated before the token is read or looked up', async () => {
    const world = protocolWorld();
    const headers = [undefined, '', 'Basic', basic('test-api:wrong'), basic('nobody:x')];
    for (const authorization of [...headers, basic('test-client:client-secret')]) {
      const token = () => assert.fail('the token was read');
      const answer = tokenInfoEndpoint(world)({ authorization, source: '192.0.2.1', token });
      await assert.rejects(answer, refusal('invalid_client'));
    }
    assert.deepEqual(world.store.lookups, []);
  });
});
