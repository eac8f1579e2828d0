import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OAuthError } from '@watchword/protocol';
import {
  buildAdministrator,
  buildCaller,
  buildClientCaller,
  buildResourceOwner,
  clientRegistration,
  grantFactory,
  protocolDependencies,
  protocolError,
  resourceServerRegistration,
  seededRandom,
} from '@watchword/testkit';
import { type Caller, commandLineCaller, systemCaller } from '../../src/callers/caller.ts';
import type { OwnerLimits } from '../../src/changes/owner-limits.ts';
import { clientAdministration } from '../../src/clients/clients.ts';
import { resourceOwnerAdministration } from '../../src/resource-owners/resource-owners.ts';
import { resourceServerAdministration } from '../../src/resource-servers/resource-servers.ts';

const finn = buildCaller('finn');
const job = buildClientCaller();
const free = { records: 0, changesPerMinute: 0 };

function administration(ownerLimits: Partial<OwnerLimits>) {
  const deps = protocolDependencies();
  const random = seededRandom('admin');
  const parts = {
    ...deps.store,
    clock: deps.clock,
    random,
    ownerLimits: { person: free, client: free, ...ownerLimits },
  };
  const resourceServers = resourceServerAdministration(parts);
  const clients = clientAdministration(parts);
  let named = 0;
  return {
    ...deps,
    resourceServers,
    clients,
    resourceOwners: resourceOwnerAdministration(parts),
    create: async (caller: Caller) => {
      named += 1;
      const fields = resourceServerRegistration({ name: `API ${named}` });
      return (await resourceServers.create(caller, { fields })).resourceServer;
    },
    createClient: async (caller: Caller, resourceServerId: number, attributes = {}) =>
      (await clients.create(caller, resourceServerId, { fields: clientRegistration({ attributes }) })).client,
  };
}

describe('the number of records of one owner', () => {
  it('limits the number of resource servers and clients', async () => {
    const { create, createClient } = administration({ person: { ...free, records: 3 } });
    const { id } = await create(finn);
    await createClient(finn, id);
    await create(finn);
    await assert.rejects(create(finn), protocolError('too_many_records'));
    await assert.rejects(createClient(finn, id), protocolError('too_many_records'));
  });

  it('leaves what is there editable and removable, and a removal makes room', async () => {
    const { create, resourceServers, clients, createClient } = administration({
      person: { ...free, records: 2 },
    });
    const { id } = await create(finn);
    const client = await createClient(finn, id);
    await assert.rejects(create(finn), protocolError('too_many_records'));
    const address = { resourceServerId: id, id: client.id };
    const apply = <Fields extends object>(current: Fields) => ({ ...current, description: 'x' });
    await resourceServers.update(finn, id, { apply });
    await clients.update(finn, address, { apply });
    await clients.rotateSecret(finn, address, 0);
    await resourceServers.rotateSecret(finn, id, 0);
    await clients.delete(finn, address);
    await createClient(finn, id);
  });

  it('is another for a client that acts for itself, and none for administrators and tools', async () => {
    const { create, createClient, resourceServers } = administration({
      person: { ...free, records: 1 },
      client: { ...free, records: 2 },
    });
    const { id } = await create(finn);
    for (const caller of [buildAdministrator(), commandLineCaller('ops'), systemCaller]) {
      for (const _ of [1, 2, 3]) await create(caller);
      await createClient(caller, id);
    }
    await create(job);
    await create(job);
    await assert.rejects(create(job), protocolError('too_many_records'));
    // What others have registered for an owner counts, too.
    const { fields, owner } = { fields: resourceServerRegistration(), owner: buildCaller('gwen').identity };
    await resourceServers.create(buildAdministrator(), { fields }, { owner });
    await assert.rejects(create(buildCaller('gwen')), protocolError('too_many_records'));
  });
});

describe('the changes that one owner makes in a minute', () => {
  const retryAfter = (seconds: number) => (error: unknown) =>
    error instanceof OAuthError && error.kind === 'too_many_changes' && error.retryAfter === seconds;

  it('are counted for any change, and rejected beyond the limit until the minute is over', async () => {
    const { create, resourceServers, resourceOwners, clock } = administration({
      person: { ...free, changesPerMinute: 3 },
    });
    const { id } = await create(finn);
    clock.advance(20_500);
    await resourceServers.rotateSecret(finn, id, 0);
    await resourceOwners.revoke(finn, finn.identity);
    await assert.rejects(create(finn), retryAfter(40));
    await assert.rejects(resourceServers.delete(finn, id), retryAfter(40));
    await assert.rejects(resourceOwners.revoke(finn, finn.identity), retryAfter(40));
    clock.advance(39_499);
    await assert.rejects(create(finn), retryAfter(1));
    clock.advance(1);
    for (const _ of [1, 2, 3]) await create(finn);
    await assert.rejects(create(finn), retryAfter(60));
  });

  it('are of one owner, and those that fail count for nothing', async () => {
    const { create, resourceServers } = administration({ person: { ...free, changesPerMinute: 2 } });
    await create(finn);
    await assert.rejects(resourceServers.delete(finn, 999), protocolError('not_found'));
    await assert.rejects(
      resourceServers.create(finn, { fields: resourceServerRegistration({ name: 'API 1' }) }),
      protocolError('conflict'),
    );
    await create(finn);
    await assert.rejects(create(finn), protocolError('too_many_changes'));
    await create(buildCaller('finn', 'idp'));
    await create(buildCaller('gwen'));
  });

  it('are others for a client that acts for itself, and any number for administrators and tools', async () => {
    const { create } = administration({
      person: { ...free, changesPerMinute: 1 },
      client: { ...free, changesPerMinute: 2 },
    });
    for (const caller of [buildAdministrator(), commandLineCaller('ops'), systemCaller]) {
      for (const _ of [1, 2, 3]) await create(caller);
    }
    await create(job);
    await create(job);
    await assert.rejects(create(job), protocolError('too_many_changes'));
  });
});

describe('the attributes of a client', () => {
  const sized = (bytes: number) => {
    const entries = Array.from({ length: 4 }, (_, index) => [`${index}`, 'é'.repeat(bytes / 8)]);
    return { ...Object.fromEntries(entries), '': 'x'.repeat((bytes % 8) - 4 + 8) };
  };

  it('have 8 KB together, names and values in UTF-8', async () => {
    const { createClient, resourceServer, store } = administration({});
    const root = buildAdministrator();
    const bytes = (attributes: object) =>
      Object.entries(attributes).reduce((sum, pair) => sum + Buffer.byteLength(pair.join('')), 0);
    const fitting = sized(8184);
    assert.equal(bytes(fitting), 8192);
    await createClient(root, resourceServer.id, fitting);
    const over = { ...fitting, '': `${fitting['']}x` };
    await assert.rejects(createClient(root, resourceServer.id, over), protocolError('invalid_request'));
    assert.equal((await store.clients.list({ limit: 9 })).length, 2);
  });

  it('that are larger since before may stay and shrink, and never grow', async () => {
    const { clients, client, store, resourceServer } = administration({});
    const attributes = Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, name.repeat(1999)]),
    );
    store.putClient({ ...client, attributes });
    const address = { resourceServerId: resourceServer.id, id: client.id };
    const update = (change: object) =>
      clients.update(buildCaller('emma'), address, { apply: (current) => ({ ...current, ...change }) });
    await update({ description: 'x' });
    await assert.rejects(
      update({ attributes: { ...attributes, a: 'a'.repeat(2000) } }),
      protocolError('invalid_request'),
    );
    await update({ attributes: { ...attributes, a: 'a' } });
    await assert.rejects(update({ attributes }), protocolError('invalid_request'));
    await update({ attributes: {} });
  });
});

describe('revoking the access of a resource owner', () => {
  it('is for the owner and for administrators, ends all grants, and counts those of all parts', async () => {
    const { resourceOwners, store, clock } = administration({});
    const make = grantFactory();
    const stored = async () => {
      const grant = make.grant({ owner: buildResourceOwner('finn') });
      await store.authorizationCodes.insert(make.code(grant), grant);
      return grant.owner.subject;
    };
    let subject = '';
    for (let count = 0; count < 1001; count += 1) subject = await stored();
    const stranger = resourceOwners.revoke(buildCaller('emma'), finn.identity);
    await assert.rejects(stranger, protocolError('not_found'));
    assert.equal((await resourceOwners.revoke(finn, finn.identity)).grants, 1001);
    assert.deepEqual(await store.grants.listBySubject(subject, clock.now()), []);
    await stored();
    assert.equal((await resourceOwners.revoke(buildAdministrator(), finn.identity)).grants, 1);
  });
});
