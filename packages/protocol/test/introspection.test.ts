import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  buildClient,
  buildPublicClient,
  buildResourceServer,
  clientRequest,
  introspectRequest,
  machineSecret,
  type ProtocolWorld,
  protocolWorld,
  refusal,
} from '@watchword/testkit';
import { introspectionEndpoint } from '../src/tokens/introspect.ts';

const owner = 'test-api:resource-server-secret';
const self = 'test-client:client-secret';
const inactive = { active: false };

function ask(world: ProtocolWorld, token: string, credentials: string) {
  return introspectionEndpoint(world)(introspectRequest(token, credentials));
}

describe('introspection', () => {
  it('tells the resource server and the client itself about a live token, times in seconds', async () => {
    const world = protocolWorld();
    const token = await world.issue(world.store.putClient(buildClient({ expireDuration: 60 })), ['read']);
    const iat = Math.floor(world.clock.now() / 1000);
    world.clock.advance(1000);
    for (const credentials of [owner, self]) {
      assert.deepEqual(await ask(world, token, credentials), {
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

  it('leaves exp out when the token does not expire', async () => {
    const world = protocolWorld();
    const answer = await ask(world, await world.issue(), owner);
    assert.equal(answer.active, true);
    assert.equal('exp' in answer, false);
  });

  it('leaves out scopes that the client lost', async () => {
    const world = protocolWorld();
    const token = await world.issue();
    world.store.putClient(buildClient({ scopes: ['write'] }));
    const answer = await ask(world, token, owner);
    assert.equal(answer.active && answer.scope, 'write');
  });

  it('says nothing but inactive of a token that is expired, revoked, unknown or garbage', async () => {
    const world = protocolWorld();
    const expired = await world.issue(buildClient({ expireDuration: 1 }));
    world.clock.advance(1000);
    const live = await world.issue();
    await world.store.clients.revokeTokens(world.client.id, world.clock.now());
    for (const token of [expired, live, 'garbage']) {
      assert.deepEqual(await ask(world, token, owner), inactive);
      assert.deepEqual(await ask(world, token, self), inactive);
    }
  });

  it("says nothing but inactive of another resource server's or another client's token", async () => {
    const world = protocolWorld();
    const secret = machineSecret('other-secret');
    world.store.putResourceServer(buildResourceServer({ id: 2, key: 'other-api', secret }));
    world.store.putClient(buildClient({ id: 7, clientId: 'sibling', secret }));
    const token = await world.issue();
    for (const credentials of ['other-api:other-secret', 'sibling:other-secret']) {
      assert.deepEqual(await ask(world, token, credentials), inactive);
    }
  });

  it('does not take equal record ids of a client and a resource server for one another', async () => {
    const world = protocolWorld();
    const secret = machineSecret('other-secret');
    // Client 1 is the token's; resource server 5 has a client with the record id of the token's server.
    world.store.putResourceServer(buildResourceServer({ id: 5, key: 'other-api', secret }));
    world.store.putClient(buildClient({ id: 5, clientId: 'five', resourceServerId: 5, secret }));
    const token = await world.issue(
      world.store.putClient(buildClient({ id: 6, clientId: 'six', resourceServerId: 5 })),
    );
    assert.deepEqual(await ask(world, token, 'five:other-secret'), inactive);
  });

  it('is refused to public clients, strangers and a request without token', async () => {
    const world = protocolWorld();
    world.store.putClient(buildPublicClient());
    const endpoint = introspectionEndpoint(world);
    const token = await world.issue();
    await assert.rejects(
      endpoint(clientRequest({ token, client_id: 'public-client' })),
      refusal('invalid_client'),
    );
    await assert.rejects(ask(world, token, 'nobody:x'), refusal('invalid_client'));
    await assert.rejects(endpoint(clientRequest({}, owner)), refusal('invalid_request'));
    await assert.rejects(endpoint(clientRequest({ token: '' }, owner)), refusal('invalid_request'));
  });

  it('authenticates the caller before it looks at the token', async () => {
    const world = protocolWorld();
    const endpoint = introspectionEndpoint(world);
    await assert.rejects(endpoint(clientRequest({}, 'test-api:wrong')), refusal('invalid_client'));
    await assert.rejects(ask(world, await world.issue(), 'test-api:wrong'), refusal('invalid_client'));
    assert.deepEqual(world.store.lookups, []);
  });
});
