import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { administrationClientId, administrationKey, chosenSecret, secretMatches } from '@watchword/protocol';
import {
  buildAdministrator,
  buildCaller,
  buildClient,
  buildPublicClient,
  buildResourceServer,
  clientRegistration,
  protocolDependencies,
  protocolError,
  seededRandom,
} from '@watchword/testkit';
import type { Caller } from '../../src/callers/caller.ts';
import { clientAdministration } from '../../src/clients/clients.ts';

const caller = buildAdministrator();

function administration() {
  const deps = protocolDependencies();
  const { clients } = deps.store;
  const { client, resourceServer } = deps;
  return {
    ...deps,
    clients,
    address: { resourceServerId: resourceServer.id, id: client.id },
    unknown: { resourceServerId: resourceServer.id, id: 999 },
    admin: clientAdministration({ ...deps.store, clock: deps.clock, random: seededRandom('admin') }),
  };
}

describe('a change of a client', () => {
  const publicFields = {
    confidential: false,
    allowedClientCredentials: false,
    redirectUris: ['https://a.example/cb'],
  };

  it('takes the secret of one that becomes public, and keeps it otherwise', async () => {
    const { admin, address, client, clients } = administration();
    const secretAfter = async (fields: object) => {
      await admin.update(caller, address, { apply: () => fields });
      return (await clients.find(client.clientId))?.secret;
    };
    assert.deepEqual(await secretAfter({ description: 'new' }), client.secret);
    assert.equal(await secretAfter(publicFields), undefined);
    assert.equal(await secretAfter({ confidential: true }), undefined);
  });

  it('leaves the fields of the client of the administration pages on which these depend', async () => {
    const { admin, store } = administration();
    store.putResourceServer(
      buildResourceServer({ id: 8, key: administrationKey, name: 'A', ownerAuthority: 'system' }),
    );
    const own = store.putClient(
      buildPublicClient({
        id: 8,
        resourceServerId: 8,
        clientId: administrationClientId,
        redirectUris: publicFields.redirectUris,
      }),
    );
    const change = (fields: object) =>
      admin.update(caller, { resourceServerId: 8, id: own.id }, { apply: () => fields });
    await assert.rejects(change({ includePrincipal: true }), protocolError('invalid_request'));
    await change({ description: 'new' });
    const beside = store.putClient(buildPublicClient({ id: 9, resourceServerId: 8, clientId: 'beside' }));
    const address = { resourceServerId: 8, id: beside.id };
    await admin.update(caller, address, { apply: () => ({ includePrincipal: true }) });
    await admin.delete(caller, address);
    await assert.rejects(admin.delete(caller, { ...address, id: own.id }), protocolError('conflict'));
  });

  it('is not restricted for a client that only has the name of that of the administration pages', async () => {
    const { admin, store, address } = administration();
    store.putClient(buildClient({ clientId: administrationClientId }));
    await admin.update(caller, address, { apply: () => ({ includePrincipal: true }) });
    await admin.delete(caller, address);
    assert.equal(await store.clients.find(administrationClientId), undefined);
  });

  it('can need the document of a sector, which a server without access to others cannot have', async () => {
    const { admin, address } = administration();
    const sectorIdentifierUri = 'https://sector.example/uris.json';
    const fields = { redirectUris: ['https://a.example/cb'], subjectType: 'pairwise', sectorIdentifierUri };
    const error = await admin
      .update(caller, address, { apply: () => fields as object })
      .catch((caught) => caught);
    assert.match(String(error.violations), /cannot be requested from here/);
  });
});

describe('registering a client', () => {
  it('keeps what was submitted, issues clientId and secret, and stores the secret hashed', async () => {
    const { admin, clients, resourceServer } = administration();
    const registration = clientRegistration({ clientName: 'My App', attributes: { a: 'b' } });
    const { client, secret = '' } = await admin.create(caller, resourceServer.id, { fields: registration });
    const { id: _, revision: _revision, secret: stored, ...fields } = client;
    assert.deepEqual(fields, {
      ...registration,
      clientId: 'my-app',
      trusted: true,
      keepsUserData: false,
      managedBy: '',
      formerResourceServers: [],
      resourceServerId: resourceServer.id,
      tokensValidFrom: 0,
    });
    assert.match(secret, /^wws_[A-Za-z0-9_-]{43}$/);
    assert.ok(secretMatches(stored, secret, 0));
    assert.deepEqual(await clients.find('my-app'), client);
    assert.ok(!JSON.stringify(client).includes(secret));
  });

  it('gives a public client no secret, even when one is chosen', async () => {
    const { admin, resourceServer } = administration();
    const registration = clientRegistration({
      allowedClientCredentials: false,
      allowedImplicitGrant: true,
      redirectUris: ['https://a.example/cb'],
    });
    const { client, secret } = await admin.create(
      caller,
      resourceServer.id,
      { fields: registration },
      { secret: chosenSecret('a chosen secret of the test') },
    );
    assert.equal(secret, undefined);
    assert.equal(client.secret, undefined);
  });

  it('takes a secret that was chosen, and numbers a clientId that is taken', async () => {
    const { admin, resourceServer } = administration();
    const registration = clientRegistration({ clientName: 'Test Client' });
    const { client, secret } = await admin.create(
      caller,
      resourceServer.id,
      { fields: registration },
      { secret: chosenSecret('a chosen secret of the test') },
    );
    assert.equal(secret, 'a chosen secret of the test');
    assert.equal(client.clientId, 'test-client2');
  });

  it('names a scope once', async () => {
    const { admin, resourceServer } = administration();
    const registration = clientRegistration({ scopes: ['write', 'read', 'write'] });
    assert.deepEqual(
      (await admin.create(caller, resourceServer.id, { fields: registration })).client.scopes,
      ['write', 'read'],
    );
  });

  it('is not_found when the resource server was deleted', async () => {
    const { admin, resourceServer, store } = administration();
    await store.resourceServers.delete(resourceServer.id);
    await assert.rejects(
      admin.create(caller, resourceServer.id, { fields: clientRegistration() }),
      protocolError('not_found'),
    );
  });
});

describe('a client of another owner', () => {
  it('is not_found for every work, below its resource server and below one of the own', async () => {
    const { admin, clients, store, address } = administration();
    const finn = buildCaller('finn');
    store.putResourceServer(buildResourceServer({ id: 2, key: 'own', name: 'Own', owner: 'finn' }));
    const own = store.putClient(buildClient({ id: 20, clientId: 'own', resourceServerId: 2 }));
    const page = { limit: 9 };
    await assert.rejects(admin.list(finn, address.resourceServerId, {}, page), protocolError('not_found'));
    assert.deepEqual((await admin.list(finn, 2, {}, page)).items, [own]);
    assert.deepEqual((await admin.listAll(finn, {}, page)).items, [own]);
    const before = await clients.find('test-client');
    for (const resourceServerId of [address.resourceServerId, 2]) {
      const of = { ...address, resourceServerId };
      for (const attempt of [
        admin.find(finn, of),
        admin.update(finn, of, { apply: (fields) => ({ ...fields, description: 'x' }) }),
        admin.delete(finn, of),
        admin.rotateSecret(finn, of, 0),
        admin.revokeTokens(finn, of),
      ]) {
        await assert.rejects(attempt, protocolError('not_found'));
      }
    }
    assert.deepEqual(await clients.find('test-client'), before);
  });

  it('is found by an administrator below its own resource server only', async () => {
    const { admin, address, client, store } = administration();
    store.putResourceServer(buildResourceServer({ id: 2, key: 'own', name: 'Own', owner: 'finn' }));
    assert.deepEqual(await admin.find(caller, address), client);
    await assert.rejects(admin.find(caller, { ...address, resourceServerId: 2 }), protocolError('not_found'));
  });
});

describe('a change of a client that depends on its revision', () => {
  it('is refused when somebody has changed it since', async () => {
    const { admin, address, clients } = administration();
    const before = await clients.find('test-client');
    const condition = (tag: string) => tag === 'another revision';
    for (const attempt of [
      admin.update(caller, address, { apply: () => ({ description: 'x' }), condition }),
      admin.confirm(caller, address, condition),
      admin.delete(caller, address, condition),
    ]) {
      await assert.rejects(attempt, protocolError('precondition_failed'));
    }
    assert.deepEqual(await clients.find('test-client'), before);
    await admin.delete(caller, address, (tag) => tag.length > 0);
  });
});

describe('the list of clients', () => {
  it('is searched in names, description and contact, and read page by page', async () => {
    const { admin, address, store } = administration();
    const fields = { clientName: 'x', description: '', contactName: 'x', contactEmail: '' };
    for (const [index, changes] of [
      { clientName: 'Night Job' },
      { clientId: 'NIGHT-id' },
      { description: 'at night' },
      { contactName: 'Knight' },
      { contactEmail: 'Night@example.org' },
      {},
    ].entries()) {
      store.putClient(buildClient({ ...fields, id: 30 + index, clientId: `c${index}`, ...changes }));
    }
    const read: number[] = [];
    let after: number | undefined;
    do {
      const list = admin.list(caller, address.resourceServerId, { q: 'NIGHT' }, { limit: 2, after });
      const page = await list;
      read.push(...page.items.map(({ id }) => id));
      after = page.next;
    } while (after !== undefined && read.length < 9);
    assert.deepEqual(read, [30, 31, 32, 33, 34]);
  });
});

describe('deleting a client', () => {
  it('removes it, once', async () => {
    const { admin, clients, address } = administration();
    await admin.delete(caller, address);
    assert.equal(await clients.find('test-client'), undefined);
    await assert.rejects(admin.delete(caller, address), protocolError('not_found'));
  });
});

describe('rotating the secret of a client', () => {
  it('replaces it, and lets the old one count for the overlap', async () => {
    const { admin, clients, clock, address } = administration();
    const { secret = '' } = await admin.rotateSecret(caller, address, 60);
    const stored = (await clients.find('test-client'))?.secret;
    const end = clock.now() + 60_000;
    assert.ok(secretMatches(stored, secret, end));
    assert.ok(secretMatches(stored, 'client-secret', end - 1));
    assert.ok(!secretMatches(stored, 'client-secret', end));
  });

  it('ends the old one at once without an overlap', async () => {
    const { admin, clients, clock, address } = administration();
    await admin.rotateSecret(caller, address, 0);
    const stored = (await clients.find('test-client'))?.secret;
    assert.ok(!secretMatches(stored, 'client-secret', clock.now()));
  });

  it('gives a confidential client that lost its secret a new one', async () => {
    const { admin, clients, store, address } = administration();
    store.putClient(buildClient({ secret: undefined }));
    const { secret = '' } = await admin.rotateSecret(caller, address, 60);
    assert.ok(secretMatches((await clients.find('test-client'))?.secret, secret, 0));
  });

  it('is rejected for a public client and for an unknown one', async () => {
    const { admin, clients, store, address, unknown } = administration();
    store.putClient(buildPublicClient());
    await assert.rejects(
      admin.rotateSecret(caller, { ...address, id: 2 }, 0),
      protocolError('invalid_request'),
    );
    assert.equal((await clients.find('public-client'))?.secret, undefined);
    await assert.rejects(admin.rotateSecret(caller, unknown, 0), protocolError('not_found'));
  });
});

describe('revoking the tokens of a client', () => {
  it('takes effect from this time on', async () => {
    const { admin, clients, clock, address } = administration();
    await admin.revokeTokens(caller, address);
    assert.equal((await clients.find('test-client'))?.tokensValidFrom, clock.now());
  });

  it('is not_found for a client that is not there', async () => {
    const { admin, unknown } = administration();
    await assert.rejects(admin.revokeTokens(caller, unknown), protocolError('not_found'));
  });
});

describe('the list of all clients', () => {
  it('has those of every owner for an administrator, and the own ones for others', async () => {
    const { admin, store } = administration();
    store.putResourceServer(buildResourceServer({ id: 2, key: 'other', owner: 'finn' }));
    store.putClient(buildClient({ id: 20, clientId: 'other-client', resourceServerId: 2 }));
    const names = async (of: Caller) =>
      (await admin.listAll(of, {}, { limit: 9 })).items.map(({ clientId }) => clientId);
    assert.deepEqual(await names(caller), ['test-client', 'other-client']);
    assert.deepEqual(await names(buildCaller('finn')), ['other-client']);
    assert.deepEqual(await names(buildCaller('emma')), ['test-client']);
  });
});
