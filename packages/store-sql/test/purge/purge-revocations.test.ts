import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changeDelay, expiryMargin, listedTime } from '@watchword/protocol';
import { addClient, addResourceServer, grantFactory } from '@watchword/testkit';
import { openStore } from '../../src/index.ts';
import { sharedDatabase } from '../support/shared-database.ts';

const testDatabase = sharedDatabase();

const make = grantFactory();

describe('the purge of revocations that resource servers have to know', () => {
  it('keeps revoked grants while JWTs of them can be valid, and removes those of other clients', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const jwt = await addResourceServer(store, 'jwt', { accessTokenFormat: 'jwt' });
    const opaque = await addResourceServer(store, 'opaque');
    const [ofJwt, ofOpaque] = [await addClient(store, 'a', jwt), await addClient(store, 'b', opaque)];
    const now = make.grant().creationDate;
    const revoke = async (clientRecordId: number, at: number) => {
      const grant = make.grant({ clientRecordId });
      await store.authorizationCodes.insert(make.code(grant), grant);
      await store.grants.revoke(grant.id, at);
      return grant.id;
    };
    const kept = [await revoke(ofJwt.id, now - listedTime), await revoke(ofJwt.id, now)];
    for (const [client, at] of [
      [ofJwt, now - listedTime - 1],
      [ofOpaque, now],
      [ofOpaque, now - listedTime],
    ] as const) {
      await revoke(client.id, at);
    }
    for (const batchSize of [1, 2, 100]) {
      await store.purge({ expiredBefore: now, deletedBefore: 0, batchSize });
      const left = await store.revocations.listGrants({ from: 0, limit: 10 });
      assert.deepEqual(
        left.map(({ id }) => id),
        kept,
      );
    }
    const report = await store.purge({ expiredBefore: now + listedTime + 1, deletedBefore: 0, batchSize: 1 });
    assert.equal(report.grants, 2);
  });

  it('keeps a deleted client as long, if its resource server has JWTs', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const { clock } = database;
    const jwt = await addResourceServer(store, 'jwt', { accessTokenFormat: 'jwt' });
    const opaque = await addResourceServer(store, 'opaque');
    const [ofJwt, ofOpaque] = [await addClient(store, 'a', jwt), await addClient(store, 'b', opaque)];
    const ofBoth = await addClient(store, 'c', opaque);
    await store.clients.update(ofBoth.id, {
      otherResourceServers: [{ resourceServerId: jwt.id, scopes: [] }],
    });
    const now = clock.now();
    for (const { id } of [ofJwt, ofOpaque, ofBoth]) await store.clients.delete(id);
    const purge = (later: number) =>
      store.purge({ expiredBefore: now + later, deletedBefore: now + later, batchSize: 10 });
    assert.equal((await purge(1)).clients, 1);
    assert.equal((await purge(listedTime)).clients, 0);
    assert.deepEqual(await store.revocations.listClients(0), [
      { clientId: 'a', resourceServerId: jwt.id, otherResourceServerIds: [], revokedAt: now + changeDelay },
      {
        clientId: 'c',
        resourceServerId: opaque.id,
        otherResourceServerIds: [jwt.id],
        revokedAt: now + changeDelay,
      },
    ]);
    assert.equal((await purge(listedTime + 1)).clients, 2);
  });

  it('lists a deleted client with a time that is as late as another node can issue a token, also for a new client of its name', async () => {
    await using database = await testDatabase();
    await database.migrate('all');
    const now = database.clock.now();
    const store = await openStore({
      database: await database.location(),
      clock: { now: () => now, othersAhead: 2000 },
    });
    const one = await addResourceServer(store, 'one', { accessTokenFormat: 'jwt' });
    const two = await addResourceServer(store, 'two', { accessTokenFormat: 'jwt' });
    const [a, b] = [await addClient(store, 'a', one), await addClient(store, 'b', two)];
    await store.clients.delete(a.id);
    await store.resourceServers.delete(two.id);
    const revokedAt = now + 2000 + changeDelay;
    assert.deepEqual(await store.revocations.listClients(0), [
      { clientId: a.clientId, resourceServerId: one.id, otherResourceServerIds: [], revokedAt },
      { clientId: b.clientId, resourceServerId: two.id, otherResourceServerIds: [], revokedAt },
    ]);
    assert.equal((await addClient(store, 'a', one)).tokensValidFrom, revokedAt);
    await store.close();
  });

  it('removes a token that was revoked alone when no resource server accepts it any more', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const { id, creationDate: now } = make.grant();
    await store.revocations.revokeToken({ id, clientRecordId: 1, expires: now, revokedAt: now - 1 });
    const purge = (expiredBefore: number) => store.purge({ expiredBefore, deletedBefore: 0, batchSize: 10 });
    assert.equal((await purge(now + expiryMargin)).revokedJwts, 0);
    assert.equal((await purge(now + expiryMargin + 1)).revokedJwts, 1);
    assert.equal(await store.revocations.findToken(id), undefined);
  });
});
