import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chosenSecret, secretMatches } from '@watchword/protocol';
import {
  buildAdministrator,
  buildCaller,
  buildClient,
  buildResourceServer,
  protocolDependencies,
  protocolError,
  resourceServerRegistration,
  seededRandom,
} from '@watchword/testkit';
import { resourceServerAdministration } from '../../src/resource-servers/resource-servers.ts';

const caller = buildAdministrator();
const finn = buildCaller('finn');

function administration() {
  const deps = protocolDependencies();
  const { resourceServers } = deps.store;
  const random = seededRandom('admin');
  return {
    ...deps,
    resourceServers,
    admin: resourceServerAdministration({ ...deps.store, clock: deps.clock, random }),
  };
}

describe('the resource server of the administration interface', () => {
  it('is given to no other owner, not deleted, and keeps its name', async () => {
    const { admin, store } = administration();
    const { id } = store.putResourceServer(
      buildResourceServer({ id: 8, key: 'own', name: 'Own', ownerAuthority: 'system' }),
    );
    const owner = { identityProvider: 'password', name: 'finn' };
    await assert.rejects(admin.changeOwner(caller, id, owner), protocolError('conflict'));
    await assert.rejects(admin.delete(caller, id), protocolError('conflict'));
    const change = (fields: object) => admin.update(caller, id, { apply: () => fields });
    await assert.rejects(change({ name: 'Another' }), protocolError('invalid_request'));
    assert.equal((await change({ description: 'Ours' })).resourceServer.description, 'Ours');
    assert.equal((await store.resourceServers.find('own'))?.ownerAuthority, 'system');
  });
});

describe('giving a resource server to another owner', () => {
  const owner = { identityProvider: 'password', name: 'finn' };

  it('changes its owner alone, and is a conflict where the new one has one of that name', async () => {
    const { admin, store } = administration();
    const { resourceServer } = await admin.create(finn, { fields: resourceServerRegistration() });
    await assert.rejects(admin.changeOwner(caller, 1, owner), protocolError('conflict'));
    await admin.delete(caller, resourceServer.id);
    const { owner: name, ownerAuthority, key } = await admin.changeOwner(caller, 1, owner);
    assert.deepEqual([name, ownerAuthority, key], ['finn', 'password', 'test-api']);
    const events = await store.auditEvents.list({ limit: 9 });
    assert.deepEqual(events.find(({ action }) => action === 'update')?.after, { owner: 'finn' });
  });
});

describe('revoking the tokens of a resource server', () => {
  it('revokes those of each of its clients, five hundred at a time, and logs each part', async () => {
    const { admin, clock, store } = administration();
    for (let id = 100; id < 600; id += 1) store.putClient(buildClient({ id, clientId: `client ${id}` }));
    const other = store.putClient(buildClient({ id: 900, clientId: 'other', resourceServerId: 2 }));
    await admin.revokeTokens(caller, 1);
    const clients = await store.clients.list({ limit: 999 });
    const left = clients.filter(({ tokensValidFrom }) => tokensValidFrom < clock.now());
    assert.deepEqual([left.map(({ id }) => id), clients.length], [[other.id], 502]);
    const events = await store.auditEvents.list({ limit: 9 });
    const parts = events.map(({ action, before }) => [action, before]);
    assert.deepEqual(parts.toSorted(), [
      ['revokeTokens', { clients: 1 }],
      ['revokeTokens', { clients: 500 }],
    ]);
  });
});

describe('registering a resource server', () => {
  it('keeps what was submitted, issues key and secret, and stores the secret hashed', async () => {
    const { admin, resourceServers } = administration();
    const registration = resourceServerRegistration({ name: 'My API', scopes: ['b', 'a', 'b'] });
    const { resourceServer, secret } = await admin.create(finn, { fields: registration });
    const { id: _, revision: _revision, secret: stored, ...fields } = resourceServer;
    assert.deepEqual(fields, {
      ...registration,
      scopes: ['b', 'a'],
      key: 'my-api',
      owner: 'finn',
      ownerAuthority: 'password',
      managedBy: '',
    });
    assert.match(secret, /^wws_[A-Za-z0-9_-]{43}$/);
    assert.ok(secretMatches(stored, secret, 0));
    assert.deepEqual(await resourceServers.find('my-api'), resourceServer);
  });

  it('takes a secret that was chosen, and numbers a key that is taken', async () => {
    const { admin } = administration();
    const { resourceServer, secret } = await admin.create(
      finn,
      { fields: resourceServerRegistration() },
      { secret: chosenSecret('a chosen secret of the test') },
    );
    assert.equal(secret, 'a chosen secret of the test');
    assert.equal(resourceServer.key, 'test-api2');
  });

  it('is a conflict when the owner has one of that name', async () => {
    const { admin } = administration();
    await assert.rejects(
      admin.create(buildCaller('emma'), { fields: resourceServerRegistration() }),
      protocolError('conflict'),
    );
  });

  it('writes nothing when a rule is broken', async () => {
    const { admin, resourceServers } = administration();
    await assert.rejects(
      admin.create(finn, { fields: resourceServerRegistration({ name: ' ' }) }),
      protocolError('invalid_request'),
    );
    assert.equal((await resourceServers.list({ limit: 10 })).length, 1);
  });
});

describe('changing a resource server', () => {
  it('is a conflict when the owner has another one of that name, and not for its own name', async () => {
    const { admin, resourceServers } = administration();
    const fields = resourceServerRegistration({ name: 'Second' });
    const { resourceServer } = await admin.create(buildCaller('emma'), { fields });
    const rename = (name: string) => admin.update(caller, resourceServer.id, { apply: () => ({ name }) });
    await assert.rejects(rename('Test API'), protocolError('conflict'));
    assert.deepEqual(await resourceServers.find('second'), resourceServer);
    assert.equal((await rename('Second')).resourceServer.name, 'Second');
  });

  it('of another owner is not_found, and so is every other work at it', async () => {
    const { admin, resourceServers } = administration();
    const before = await resourceServers.find('test-api');
    for (const attempt of [
      admin.find(finn, 1),
      admin.update(finn, 1, { apply: () => ({ description: 'x' }) }),
      admin.delete(finn, 1),
      admin.rotateSecret(finn, 1, 0),
    ]) {
      await assert.rejects(attempt, protocolError('not_found'));
    }
    assert.deepEqual((await admin.list(finn, {}, { limit: 9 })).items, []);
    assert.deepEqual(await resourceServers.find('test-api'), before);
  });
});

describe('a change of a resource server that depends on its revision', () => {
  it('is refused when somebody has changed it since', async () => {
    const { admin, resourceServers } = administration();
    const before = await resourceServers.find('test-api');
    const condition = (tag: string) => tag === 'another revision';
    for (const attempt of [
      admin.update(caller, 1, { apply: () => ({ description: 'x' }), condition }),
      admin.delete(caller, 1, condition),
    ]) {
      await assert.rejects(attempt, protocolError('precondition_failed'));
    }
    assert.deepEqual(await resourceServers.find('test-api'), before);
    await admin.delete(caller, 1, (tag) => tag.length > 0);
  });
});

describe('a resource server with JWTs', () => {
  it('can be changed also where a client of an earlier release could not be registered today', async () => {
    const { admin, store } = administration();
    store.putResourceServer(buildResourceServer({ accessTokenFormat: 'jwt' }));
    store.putClient(buildClient({ expireDuration: 0 }));
    const change = (changes: object) => admin.update(caller, 1, { apply: () => changes });
    assert.equal((await change({ description: 'x' })).resourceServer.description, 'x');
    await change({ accessTokenFormat: 'opaque' });
    await assert.rejects(change({ accessTokenFormat: 'jwt' }), protocolError('conflict'));
  });
});

describe('the list of resource servers', () => {
  it('has those of the caller, a page at a time, each once', async () => {
    const { admin } = administration();
    for (const name of ['a', 'b', 'c'])
      await admin.create(finn, { fields: resourceServerRegistration({ name }) });
    const names: string[] = [];
    let after: number | undefined;
    do {
      const page = await admin.list(finn, {}, { limit: 1, after });
      names.push(...page.items.map(({ name }) => name));
      after = page.next;
    } while (after !== undefined && names.length < 9);
    assert.deepEqual(names, ['a', 'b', 'c']);
  });

  it('is searched in names, description, contact and owner', async () => {
    const { admin, store } = administration();
    for (const [index, changes] of [
      { name: 'Night API' },
      { key: 'NIGHT-key' },
      { description: 'at night' },
      { contactName: 'Knight' },
      { contactEmail: 'Night@example.org' },
      { owner: 'Nightingale' },
      {},
    ].entries()) {
      store.putResourceServer(
        buildResourceServer({ id: 30 + index, key: `key-${index}`, name: `API ${index}`, ...changes }),
      );
    }
    const { items } = await admin.list(caller, { q: 'NIGHT' }, { limit: 9 });
    assert.deepEqual(
      items.map(({ id }) => id),
      [30, 31, 32, 33, 34, 35],
    );
  });
});

describe('deleting a resource server', () => {
  it('removes it with its clients, once', async () => {
    const { admin, resourceServers, registry, store } = administration();
    await admin.delete(caller, 1);
    assert.equal(await resourceServers.find('test-api'), undefined);
    assert.equal(registry.clientByClientId('test-client'), undefined);
    const events = await store.auditEvents.list({ limit: 9 });
    assert.deepEqual(events.map(({ action, recordType }) => [action, recordType]).toSorted(), [
      ['delete', 'client'],
      ['delete', 'resourceServer'],
    ]);
    await assert.rejects(admin.delete(caller, 1), protocolError('not_found'));
  });
});

describe('rotating the secret of a resource server', () => {
  it('replaces it, and lets the old one count for the overlap', async () => {
    const { admin, clock, resourceServers } = administration();
    const { secret } = await admin.rotateSecret(caller, 1, 60);
    const stored = (await resourceServers.find('test-api'))?.secret;
    const end = clock.now() + 60_000;
    assert.ok(secretMatches(stored, secret, end));
    assert.ok(secretMatches(stored, 'resource-server-secret', end - 1));
    assert.ok(!secretMatches(stored, 'resource-server-secret', end));
  });

  it('is not_found for one that is not there', async () => {
    const { admin } = administration();
    await assert.rejects(admin.rotateSecret(caller, 999, 0), protocolError('not_found'));
  });
});
