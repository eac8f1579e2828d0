import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildClient, buildPublicClient, buildResourceServer } from '@watchword/testkit';
import { MemoryRegistry } from '../../src/records/memory-registry.ts';

describe('the records in memory', () => {
  it('a name leads to its new record when the old one is removed afterwards', () => {
    const registry = new MemoryRegistry();
    registry.putClient(buildClient({ id: 1, clientId: 'x' }));
    registry.putClient(buildClient({ id: 2, clientId: 'x' }));
    registry.removeClient(1);
    assert.equal(registry.clientByClientId('x')?.id, 2);
    registry.putResourceServer(buildResourceServer({ id: 1, key: 'x' }));
    registry.putResourceServer(buildResourceServer({ id: 2, key: 'x' }));
    registry.removeResourceServer(1);
    assert.equal(registry.resourceServerByKey('x')?.id, 2);
  });

  it('a record replaces its older version, with its origins', () => {
    const registry = new MemoryRegistry();
    registry.putClient(buildPublicClient({ redirectUris: ['https://a.example/cb'] }));
    registry.putClient(buildPublicClient({ redirectUris: ['https://b.example/cb'] }));
    assert.ok(!registry.isPublicClientOrigin('https://a.example'));
    assert.ok(registry.isPublicClientOrigin('https://b.example'));
    assert.equal(registry.statistics().clients, 1);
  });

  it('removing an unknown record changes nothing, and clearing removes everything', () => {
    const registry = new MemoryRegistry();
    const client = buildPublicClient();
    registry.putClient(client);
    registry.putResourceServer(buildResourceServer());
    registry.removeClient(99);
    registry.removeResourceServer(99);
    assert.equal(registry.clientById(client.id), client);
    registry.clear();
    assert.equal(registry.clientById(client.id), undefined);
    assert.equal(registry.clientByClientId(client.clientId), undefined);
    assert.equal(registry.resourceServerByKey('test-api'), undefined);
    assert.ok(!registry.isPublicClientOrigin('https://app.example'));
  });

  it('a row with an unusable redirect URI does not hide other records', () => {
    const registry = new MemoryRegistry();
    registry.putClient(
      buildPublicClient({ redirectUris: ['not a URI', 'javascript:x', 'https://a.example/cb'] }),
    );
    assert.ok(registry.isPublicClientOrigin('https://a.example'));
    assert.ok(!registry.isPublicClientOrigin('null'));
  });
});
