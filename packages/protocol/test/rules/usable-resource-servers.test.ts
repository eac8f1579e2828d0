import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildClient, buildResourceServer } from '@watchword/testkit';
import { openClientsKey } from '../../src/rules/built-in-records.ts';
import { isWithoutHome, scopesAt } from '../../src/rules/usable-resource-servers.ts';

const home = buildResourceServer({ id: 1, scopes: ['read', 'write'] });
const api = buildResourceServer({ id: 2, scopes: ['read', 'pay', 'list'], openScopes: ['list'] });
const nobody = buildResourceServer({ id: 3, key: openClientsKey, ownerAuthority: 'system', scopes: [] });
const servers = new Map([home, api, nobody].map((server) => [server.id, server]));
const registry = { resourceServerById: (id: number) => servers.get(id) };

describe('the scopes that a client can get at a resource server', () => {
  const client = buildClient({
    resourceServerId: 1,
    scopes: ['write'],
    otherResourceServers: [{ resourceServerId: 2, scopes: ['pay', 'gone'] }],
  });

  it('are those of its record, as far as the resource server has them', () => {
    assert.deepEqual(scopesAt(client, home, registry), ['write']);
    assert.deepEqual(scopesAt(client, api, registry), ['pay']);
    assert.equal(scopesAt(buildClient({ resourceServerId: 1 }), api, registry), undefined);
  });

  it('are the open ones for a client without home, where the resource server is open to everyone', () => {
    const homeless = buildClient({ resourceServerId: 3, scopes: [] });
    const everyone = { ...api, openToClients: 'everyone' } as const;
    assert.ok(isWithoutHome(homeless, registry));
    assert.ok(!isWithoutHome(client, registry));
    assert.deepEqual(scopesAt(homeless, everyone, registry), ['list']);
    for (const openToClients of ['owner', 'administrators'] as const) {
      assert.equal(scopesAt(homeless, { ...api, openToClients }, registry), undefined, openToClients);
    }
    // A registered client has what its record says, and not everything that is open.
    assert.deepEqual(scopesAt(client, everyone, registry), ['pay']);
    assert.equal(scopesAt(buildClient({ resourceServerId: 1 }), everyone, registry), undefined);
  });

  it('are none at a record of that key which the server did not make', () => {
    servers.set(3, { ...nobody, ownerAuthority: 'password' });
    assert.ok(!isWithoutHome(buildClient({ resourceServerId: 3 }), registry));
    servers.set(3, nobody);
  });
});
