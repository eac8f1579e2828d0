import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  authorizationRequest,
  buildClient,
  clientRequest,
  flowDependencies,
  machineSecret,
  type ProtocolDependencies,
  protocolDependencies,
  protocolError,
  TestBrowser,
} from '@watchword/testkit';
import { authorizationEndpoint } from '../../src/endpoints/authorization.ts';
import { findAccessToken } from '../../src/tokens/find-access-token.ts';
import { clientsInMemory } from '../../src/tokens/formats/registered-clients.ts';
import { authenticateClient, authenticateIntrospectionCaller } from '../clients/authenticated.ts';

/** The dependencies of a node whose registry learns of a change of another node when it is read. */
function beforeReading(deps: ProtocolDependencies, change: () => void) {
  const reads = { count: 0 };
  const refresh = async () => {
    reads.count += 1;
    change();
  };
  const registry = { ...deps.registry, refresh };
  return { reads, node: { ...deps, registry, accessTokenFormats: deps.formatsOver(registry) } };
}

describe('a change that another node made a moment ago', () => {
  it('is known before the credentials of a client are rejected', async () => {
    const deps = protocolDependencies();
    const registered = buildClient({ id: 9, clientId: 'new-client' });
    for (const [credentials, changed] of [
      ['new-client:client-secret', registered],
      ['test-client:new-secret', { ...deps.client, secret: machineSecret('new-secret') }],
    ] as const) {
      const { node } = beforeReading(deps, () => deps.store.putClient(changed));
      assert.equal((await authenticateClient(clientRequest({}, credentials), node)).id, changed.id);
    }
  });

  it('is known before a caller of introspection is rejected, who can be a client or a resource server', async () => {
    const deps = protocolDependencies();
    const { node } = beforeReading(deps, () =>
      deps.store.putClient(buildClient({ id: 9, clientId: 'new-client' })),
    );
    const request = clientRequest({}, 'new-client:client-secret');
    assert.equal((await authenticateIntrospectionCaller(request, node)).id, 9);
  });

  it('is not looked for when the credentials are right, and once when they are wrong', async () => {
    const deps = protocolDependencies();
    const { node, reads } = beforeReading(deps, () => {});
    await authenticateClient(clientRequest({}, 'test-client:client-secret'), node);
    assert.equal(reads.count, 0);
    const wrong = authenticateClient(clientRequest({}, 'test-client:wrong'), node);
    await assert.rejects(wrong, protocolError('invalid_client'));
    assert.equal(reads.count, 1);
    assert.deepEqual(deps.attempts.failures.length, 1);
  });

  it('is not looked for when the client of a token is known, and is when it is not', async () => {
    const { registry, client } = protocolDependencies();
    const reads = { count: 0 };
    const refresh = async () => {
      reads.count += 1;
    };
    const clients = clientsInMemory({ ...registry, refresh });
    const found = [await clients.findById(client.id), await clients.findByClientId(client.clientId)];
    assert.deepEqual([found, reads.count], [[client, client], 0]);
    const missing = [await clients.findById(99), await clients.findByClientId('unknown')];
    assert.deepEqual([missing, reads.count], [[undefined, undefined], 2]);
  });

  it('is looked for once, also if the record changes each time', async () => {
    const deps = protocolDependencies();
    const { node, reads } = beforeReading(deps, () => {
      assert.ok(reads.count < 5, 'it asks again and again');
      deps.store.putClient({ ...deps.client, secret: machineSecret(`secret ${reads.count}`) });
    });
    const wrong = authenticateClient(clientRequest({}, 'test-client:wrong'), node);
    await assert.rejects(wrong, protocolError('invalid_client'));
    assert.equal(reads.count, 1);
    assert.equal(deps.attempts.failures.length, 2);
  });

  it('is known before an authorization request fails', async () => {
    const deps = await flowDependencies();
    const redirectUri = 'https://app.example/new';
    const changed = { ...deps.webApp, redirectUris: [...deps.webApp.redirectUris, redirectUri] };
    const { node, reads } = beforeReading(deps, () => deps.store.putClient(changed));
    const { authorize } = authorizationEndpoint({ ...deps.dependencies, registry: node.registry });
    const first = await authorize(authorizationRequest(), new TestBrowser().state);
    assert.deepEqual([first.type, reads.count], ['login', 0]);
    const request = authorizationRequest({ redirect_uri: redirectUri });
    assert.equal((await authorize(request, new TestBrowser().state)).type, 'login');
  });

  it('is known before a page of the other node is rejected', async () => {
    const deps = await flowDependencies();
    const browser = new TestBrowser();
    const page = browser.take(await deps.authorization.authorize(authorizationRequest(), browser.state));
    assert.ok(page.type === 'login');
    let isKnown = false;
    const { node } = beforeReading(deps, () => {
      isKnown = true;
    });
    const registry = {
      ...node.registry,
      clientById: (id: number) => (isKnown ? deps.registry.clientById(id) : undefined),
    };
    const { login } = authorizationEndpoint({ ...deps.dependencies, registry });
    const form = new Map([
      ['auth_state', [page.authState]],
      ['username', ['emma']],
    ]);
    assert.equal((await login(form, browser.state)).type, 'consent');
  });

  it('is known before a token of an unknown client is not found', async () => {
    const deps = protocolDependencies();
    const client = buildClient({ id: 9, clientId: 'new-client' });
    const value = await deps.issue(client);
    assert.equal(await findAccessToken(value, deps), undefined);
    const { node } = beforeReading(deps, () => deps.store.putClient(client));
    assert.equal((await findAccessToken(value, node))?.client.id, 9);
  });
});
