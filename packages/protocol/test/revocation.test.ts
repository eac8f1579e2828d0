import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  buildClient,
  buildPublicClient,
  clientRequest,
  introspectRequest,
  protocolWorld,
  refusal,
} from '@watchword/testkit';
import { StoreUnavailableError } from '../src/store-unavailable-error.ts';
import { revocationEndpoint } from '../src/tokens/revoke.ts';

const self = 'test-client:client-secret';

describe('revocation', () => {
  it("revokes the client's own token and no other", async () => {
    const world = protocolWorld();
    const token = await world.issue();
    await world.issue();
    await revocationEndpoint(world)(introspectRequest(token, self));
    assert.equal(world.store.tokens.size, 1);
    assert.equal(world.store.tokens.has(world.store.lookups[0] ?? ''), false);
  });

  it('leaves a foreign token untouched, and answers like after a revocation', async () => {
    const world = protocolWorld();
    const token = await world.issue(world.store.putClient(buildClient({ id: 7, clientId: 'sibling' })));
    assert.equal(await revocationEndpoint(world)(introspectRequest(token, self)), undefined);
    assert.equal(world.store.tokens.size, 1);
  });

  it('answers alike for unknown tokens, garbage and one revoked before', async () => {
    const world = protocolWorld();
    const token = await world.issue();
    for (const each of [token, token, 'garbage', `wwa_${'A'.repeat(70)}`]) {
      assert.equal(await revocationEndpoint(world)(introspectRequest(each, self)), undefined);
    }
    assert.equal(world.store.tokens.size, 0);
  });

  it('needs the whole token: the same id with another verifier revokes nothing', async () => {
    const world = protocolWorld();
    const token = await world.issue();
    for (const [id, row] of world.store.tokens) {
      world.store.tokens.set(id, { ...row, verifierHash: Buffer.alloc(32) });
    }
    await revocationEndpoint(world)(introspectRequest(token, self));
    assert.equal(world.store.tokens.size, 1);
  });

  it('serves a public client by its client_id alone', async () => {
    const world = protocolWorld();
    const client = world.store.putClient(buildPublicClient());
    const token = await world.issue(client);
    await revocationEndpoint(world)(clientRequest({ token, client_id: 'public-client' }));
    assert.equal(world.store.tokens.size, 0);
  });

  it('authenticates the client first, then asks for the token', async () => {
    const world = protocolWorld();
    const endpoint = revocationEndpoint(world);
    const token = await world.issue();
    await assert.rejects(endpoint(clientRequest({ token })), refusal('invalid_client'));
    await assert.rejects(endpoint(introspectRequest(token, 'test-client:wrong')), refusal('invalid_client'));
    await assert.rejects(endpoint(clientRequest({}, 'test-client:wrong')), refusal('invalid_client'));
    await assert.rejects(
      endpoint(introspectRequest(token, 'test-api:resource-server-secret')),
      refusal('invalid_client'),
    );
    await assert.rejects(endpoint(clientRequest({}, self)), refusal('invalid_request'));
    assert.equal(world.store.tokens.size, 1);
    assert.deepEqual(world.store.lookups, []);
  });

  it('is not acknowledged when the store refuses the write', async () => {
    const world = protocolWorld();
    const token = await world.issue();
    world.accessTokens.revoke = () => Promise.reject(new StoreUnavailableError('full'));
    await assert.rejects(revocationEndpoint(world)(introspectRequest(token, self)), StoreUnavailableError);
  });
});
