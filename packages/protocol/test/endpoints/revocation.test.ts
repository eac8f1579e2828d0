import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  buildClient,
  buildPublicClient,
  buildResourceServer,
  clientRequest,
  introspectRequest,
  protocolDependencies,
  protocolError,
} from '@watchword/testkit';
import { revocationEndpoint } from '../../src/endpoints/revocation.ts';
import { StoreUnavailableError } from '../../src/ports/stores/store-errors.ts';

const self = 'test-client:client-secret';

describe('revocation', () => {
  it("revokes the client's own token and no other", async () => {
    const deps = protocolDependencies();
    const token = await deps.issue();
    await deps.issue();
    await revocationEndpoint(deps)(introspectRequest(token, self));
    assert.equal(deps.store.tokens.size, 1);
    assert.ok(!deps.store.tokens.has(deps.store.lookups[0] ?? ''));
  });

  it('stores nothing for a JWT that has expired, which is refused without that', async () => {
    const deps = protocolDependencies();
    deps.store.putResourceServer(buildResourceServer({ accessTokenFormat: 'jwt' }));
    const client = deps.store.putClient(buildClient({ expireDuration: 60 }));
    const [live, expired] = [await deps.issue(client), await deps.issue(client)];
    const revoked: string[] = [];
    const revokeToken: typeof deps.revocations.revokeToken = async ({ id }) => revoked.push(id) > 0;
    const revoke = revocationEndpoint({ ...deps, revocations: { ...deps.revocations, revokeToken } });
    await revoke(introspectRequest(live, self));
    assert.equal(revoked.length, 1);
    deps.clock.advance(60_000);
    await revoke(introspectRequest(expired, self));
    assert.equal(revoked.length, 1);
  });

  it('leaves a foreign token untouched, and answers like after a revocation', async () => {
    const deps = protocolDependencies();
    const token = await deps.issue(deps.store.putClient(buildClient({ id: 7, clientId: 'sibling' })));
    assert.equal(await revocationEndpoint(deps)(introspectRequest(token, self)), undefined);
    assert.equal(deps.store.tokens.size, 1);
  });

  it('answers alike for unknown tokens, garbage and one revoked before', async () => {
    const deps = protocolDependencies();
    const token = await deps.issue();
    for (const each of [token, token, 'garbage', `wwa_${'A'.repeat(70)}`]) {
      assert.equal(await revocationEndpoint(deps)(introspectRequest(each, self)), undefined);
    }
    assert.equal(deps.store.tokens.size, 0);
  });

  it('needs the whole token: the same id with another verifier revokes nothing', async () => {
    const deps = protocolDependencies();
    const token = await deps.issue();
    for (const [id, row] of deps.store.tokens) {
      deps.store.tokens.set(id, { ...row, verifierHash: Buffer.alloc(32) });
    }
    await revocationEndpoint(deps)(introspectRequest(token, self));
    assert.equal(deps.store.tokens.size, 1);
  });

  it('serves a public client by its client_id alone', async () => {
    const deps = protocolDependencies();
    const client = deps.store.putClient(buildPublicClient());
    const token = await deps.issue(client);
    await revocationEndpoint(deps)(clientRequest({ token, client_id: 'public-client' }));
    assert.equal(deps.store.tokens.size, 0);
  });

  it('authenticates the client first, then asks for the token', async () => {
    const deps = protocolDependencies();
    const endpoint = revocationEndpoint(deps);
    const token = await deps.issue();
    await assert.rejects(endpoint(clientRequest({ token })), protocolError('invalid_client'));
    await assert.rejects(
      endpoint(introspectRequest(token, 'test-client:wrong')),
      protocolError('invalid_client'),
    );
    await assert.rejects(endpoint(clientRequest({}, 'test-client:wrong')), protocolError('invalid_client'));
    await assert.rejects(
      endpoint(introspectRequest(token, 'test-api:resource-server-secret')),
      protocolError('invalid_client'),
    );
    await assert.rejects(endpoint(clientRequest({}, self)), protocolError('invalid_request'));
    assert.equal(deps.store.tokens.size, 1);
    assert.deepEqual(deps.store.lookups, []);
  });

  it('is not acknowledged when the store rejects the write', async () => {
    const deps = protocolDependencies();
    const token = await deps.issue();
    deps.accessTokens.revoke = () => Promise.reject(new StoreUnavailableError('full'));
    await assert.rejects(revocationEndpoint(deps)(introspectRequest(token, self)), StoreUnavailableError);
  });
});
