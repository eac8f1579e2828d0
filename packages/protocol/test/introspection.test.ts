import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  buildClient,
  buildPublicClient,
  buildResourceServer,
  clientRequest,
  introspectRequest,
  machineSecret,
  type ProtocolDependencies,
  protocolDependencies,
  protocolError,
} from '@watchword/testkit';
import { introspectionEndpoint } from '../src/endpoints/introspection.ts';

const owner = 'test-api:resource-server-secret';
const self = 'test-client:client-secret';
const inactive = { active: false };

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

  it('leaves exp out when the token does not expire', async () => {
    const deps = protocolDependencies();
    const answer = await ask(deps, await deps.issue(), owner);
    assert.equal(answer.active, true);
    assert.equal('exp' in answer, false);
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
