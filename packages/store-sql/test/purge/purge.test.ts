import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listedTime, type RequestError, timeOrderedId } from '@watchword/protocol';
import {
  addClient,
  addResourceServer,
  auditEventFactory,
  grantFactory,
  rounds,
  seededRandom,
  sessionFactory,
  tokenFactory,
} from '@watchword/testkit';
import fc from 'fast-check';
import type { PurgeReport, Store } from '../../src/index.ts';
import { sharedDatabase } from '../support/shared-database.ts';

const testDatabase = sharedDatabase();

const hour = 3_600_000;

function purge(store: Store, now: number, options: { signal?: AbortSignal; batchSize?: number } = {}) {
  return store.purge({ expiredBefore: now, deletedBefore: now, batchSize: 100, ...options });
}

const nothing: PurgeReport = {
  sealedAnswers: 0,
  searchTexts: 0,
  expiredTokens: 0,
  revokedTokens: 0,
  refreshTokens: 0,
  authorizationCodes: 0,
  grants: 0,
  consents: 0,
  loginSessions: 0,
  clients: 0,
  resourceServers: 0,
  loginAttempts: 0,
  auditEvents: 0,
  loginEvents: 0,
  issuedCounts: 0,
  requestErrors: 0,
  oneTime: 0,
  sessionLinks: 0,
  personLinks: 0,
  outgoingMail: 0,
  stepRecords: 0,
  sessionClients: 0,
  revokedJwts: 0,
  ownerChanges: 0,
  outboxMessages: 0,
};

describe('the purge of what people did in steps of their logins', () => {
  it('removes what has come to its end, batch by batch, and nothing that has no end', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const now = database.clock.now();
    const ends = { a: now - 2, b: now - 1, c: now, d: 0 };
    for (const [subject, expires] of Object.entries(ends)) {
      const owner = { identityProvider: 'password', name: subject };
      const record = { subject, step: 'action terms', version: '1', doneAt: now - hour, expires, owner };
      assert.ok(await store.stepRecords.save(record, undefined));
    }
    assert.deepEqual(await purge(store, now, { batchSize: 1 }), { ...nothing, stepRecords: 2 });
    const left = ['a', 'b', 'c', 'd'].map((subject) => store.stepRecords.find(subject, 'action terms'));
    assert.deepEqual(
      (await Promise.all(left)).flatMap((record) => record?.subject ?? []),
      ['c', 'd'],
    );
  });
});

describe('the purge of links of people', () => {
  it('removes those that have expired, batch by batch', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const now = database.clock.now();
    for (const [index, age] of [-2, -1, 0].entries()) {
      const id = `019aa000-0000-7000-8000-00000000000${index}`;
      const link = {
        id,
        purpose: 'sign_up',
        digest: new Uint8Array(32),
        address: 'a@b.c',
        data: '',
      } as const;
      await store.personLinks.create({ ...link, creationDate: now - hour, expires: now + age });
    }
    assert.deepEqual(await purge(store, now, { batchSize: 1 }), { ...nothing, personLinks: 2 });
    assert.equal((await store.personLinks.list({ purpose: 'sign_up', limit: 9 })).length, 1);
  });
});

describe('the purge of mail', () => {
  it('removes mails that were not sent in time, batch by batch', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const now = database.clock.now();
    for (const [index, age] of [-2, -1, 0].entries()) {
      const id = `019aa000-0000-7000-8000-00000000000${index}`;
      const mail = { id, kind: 'invitation', sealed: '', attempts: 0, nextAttempt: now };
      await store.outgoingMail.add({ ...mail, creationDate: now - hour, expires: now + age });
    }
    assert.deepEqual(await purge(store, now, { batchSize: 1 }), { ...nothing, outgoingMail: 2 });
    assert.equal((await store.outgoingMail.waiting()).count, 1);
  });
});

describe('the purge of history', () => {
  it('removes events older than the retention, batch by batch, and none without a retention', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const now = database.clock.now();
    const make = auditEventFactory();
    const events = [-3, -2, -1, 0, 1].map((age) => make({ time: now + age * hour }));
    await store.auditEvents.append(events);
    assert.equal((await purge(store, now)).auditEvents, 0);
    const report = await store.purge({
      expiredBefore: 0,
      deletedBefore: 0,
      auditedBefore: now,
      batchSize: 2,
    });
    assert.equal(report.auditEvents, 3);
    const left = (await store.auditEvents.list({ limit: 9 })).map(({ id }) => id);
    assert.deepEqual(
      left,
      events
        .slice(3)
        .toReversed()
        .map(({ id }) => id),
    );
  });

  it('removes counts of changes that have no effect any more, batch by batch', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const minute = 60_000;
    const count = (name: string, now: number) =>
      store.transact(({ ownerChanges }) =>
        ownerChanges.count({ identityProvider: 'password', name }, now, minute),
      );
    for (const [index, name] of ['a', 'b', 'c', 'd'].entries()) await count(name, index * minute);
    const options = { expiredBefore: 0, deletedBefore: 3 * minute, batchSize: 2 };
    assert.equal((await store.purge(options)).ownerChanges, 3);
    assert.equal((await count('d', 3 * minute)).changes, 2);
    assert.equal((await store.purge(options)).ownerChanges, 0);
  });

  it('removes counts of hours that are over, and no others', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const counts = [10, 11, 12].flatMap((hourOf) =>
      ['implicit', 'code'].map((grantType) => ({ hour: hourOf, clientRecordId: 1, grantType, tokens: 1 })),
    );
    await store.statistics.addIssued(counts);
    const options = { expiredBefore: 0, deletedBefore: 0, batchSize: 1 };
    assert.equal((await store.purge({ ...options, countedBefore: 12 * hour - 1 })).issuedCounts, 2);
    assert.equal((await store.purge({ ...options, countedBefore: 12 * hour })).issuedCounts, 2);
    assert.equal((await store.statistics.issued({ from: 0, until: 99 })).length, 2);
  });
});

describe('the purge of request errors', () => {
  const random = seededRandom('errors');
  const errorAt = (time: number, clientRecordId: number): RequestError => ({
    id: timeOrderedId(time, random),
    time,
    clientRecordId,
    endpoint: 'token',
    error: 'invalid_grant',
    reason: 'because',
    rule: undefined,
    expected: undefined,
    came: undefined,
    isAuthenticated: true,
    requestId: undefined,
  });

  it('removes those that are too old, batch by batch, and no others', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const now = database.clock.now();
    await store.requestErrors.append(
      [-3, -2, -1, 0, 1].map((age) => errorAt(now + age, 1)),
      100,
    );
    assert.equal((await purge(store, now)).requestErrors, 0);
    const options = { expiredBefore: 0, deletedBefore: 0, failedBefore: now, batchSize: 2 };
    assert.equal((await store.purge(options)).requestErrors, 3);
    assert.equal((await store.requestErrors.list({ since: 0, limit: 9 })).length, 2);
  });

  it('removes those of a deleted client', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const now = database.clock.now();
    const api = await addResourceServer(store);
    const [left, deleted] = [await addClient(store, 'left', api), await addClient(store, 'deleted', api)];
    await store.requestErrors.append([errorAt(now, left.id), errorAt(now, deleted.id)], 100);
    await store.clients.delete(deleted.id);
    assert.equal((await purge(store, now)).requestErrors, 1);
    const [error, ...others] = await store.requestErrors.list({ since: 0, limit: 9 });
    assert.deepEqual([error?.clientRecordId, others], [left.id, []]);
  });

  it('removes counts of tokens issued to single clients in hours that are over', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const counts = [10, 11, 12].map((hour) => ({ hour, clientRecordId: 1, grantType: 'code', tokens: 1 }));
    await store.statistics.addIssued(counts);
    const options = { expiredBefore: 0, deletedBefore: 0, batchSize: 1 };
    assert.equal((await store.purge({ ...options, countedByClientBefore: 12 * hour })).issuedCounts, 2);
    const [use] = await store.statistics.issuedTo([1], { from: 0, until: 99 });
    assert.deepEqual([use?.tokens, use?.lastHour], [1, 12]);
  });
});

describe('the purge', () => {
  it('removes invalid tokens and no others, for any content and with small batches', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const now = database.clock.now();
    const api = await addResourceServer(store);
    const live = await addClient(store, 'live', api);
    const deleted = await addClient(store, 'deleted', api);
    const revoked = await addClient(store, 'revoked', api);
    await store.clients.delete(deleted.id);
    await store.clients.revokeTokens(revoked.id, now - 10);

    const issued = fc.record({
      clientRecordId: fc.constantFrom(live.id, live.id, deleted.id, revoked.id),
      creationDate: fc.integer({ min: now - 13, max: now - 7 }),
      expires: fc.oneof(fc.constant(0), fc.integer({ min: now - 3, max: now + 3 })),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(issued, { maxLength: 30 }),
        fc.integer({ min: 1, max: 7 }),
        fc.string(),
        async (tokens, batchSize, seed) => {
          await database.sql('update outbox_message set times_done = 0');
          const make = tokenFactory(seed);
          const inserted = tokens.map((token) => make(token));
          await Promise.all(inserted.map((token) => store.accessTokens.insert(token)));
          const expired = inserted.filter(({ expires }) => expires > 0 && expires < now);
          const kept = inserted
            .filter((token) => !expired.includes(token) && token.clientRecordId !== deleted.id)
            .filter((token) => token.clientRecordId !== revoked.id || token.creationDate > now - 10);

          const report = await purge(store, now, { batchSize });
          assert.equal(report.expiredTokens, expired.length);
          assert.equal(report.revokedTokens, inserted.length - expired.length - kept.length);
          const left = (await store.accessTokens.list({ limit: 100 })).map(({ id }) => id);
          assert.deepEqual(left, kept.map(({ id }) => id).toSorted());
          await Promise.all(left.map((id) => store.accessTokens.revoke(id)));
        },
      ),
      { numRuns: rounds(5, 25) },
    );
  });

  it('is late since the oldest row should have been removed that has expired', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const now = database.clock.now();
    const make = tokenFactory();
    assert.equal(await store.purgeLag({ expiredBefore: now }), 0);
    for (const expires of [0, now + 5]) await store.accessTokens.insert(make({ expires }));
    assert.equal(await store.purgeLag({ expiredBefore: now }), 0);
    for (const expires of [now - 30, now - 10]) await store.accessTokens.insert(make({ expires }));
    assert.equal(await store.purgeLag({ expiredBefore: now }), 30);
    assert.equal(await store.purgeLag({ expiredBefore: now - 20 }), 10);
    await store.loginSessions.insert(sessionFactory()({ expires: now - 40 }));
    assert.equal(await store.purgeLag({ expiredBefore: now }), 40);
    const flow = grantFactory();
    const grant = flow.grant();
    const code = flow.code(grant);
    await store.authorizationCodes.insert(code, grant);
    const expiredBefore = code.expires + 90;
    assert.equal(
      await store.purgeLag({ expiredBefore, answeredBefore: now - 50 }),
      expiredBefore - (now - 40),
    );
    await purge(store, now);
    assert.equal(await store.purgeLag({ expiredBefore: now }), 0);
  });

  it('keeps an expired token for the retention', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const expires = database.clock.now();
    const token = tokenFactory()({ expires });
    await store.accessTokens.insert(token);
    assert.equal((await purge(store, expires)).expiredTokens, 0);
    assert.notEqual(await store.accessTokens.find(token.id), undefined);
    assert.equal((await purge(store, expires + 1)).expiredTokens, 1);
    assert.equal(await store.accessTokens.find(token.id), undefined);
  });

  it('keeps deleted records for the retention, and then removes those without dependent rows', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const api = await addResourceServer(store);
    await addClient(store, 'x', api);
    await store.resourceServers.delete(api.id);
    const deletedAt = database.clock.now();
    assert.deepEqual(await purge(store, deletedAt), nothing);
    assert.deepEqual(await purge(store, deletedAt + 1), { ...nothing, clients: 1, resourceServers: 1 });
    assert.deepEqual(await purge(store, deletedAt + 1), { ...nothing, outboxMessages: 1 });
    assert.deepEqual(await purge(store, deletedAt + 1), nothing);
  });

  it('keeps a deleted resource server while its URIs are those of no other one', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const uris = { resources: ['https://a.example'], accessTokenFormat: 'jwt' } as const;
    await store.resourceServers.delete((await addResourceServer(store, 'api', uris)).id);
    const deletedAt = database.clock.now();
    assert.equal((await purge(store, deletedAt + listedTime)).resourceServers, 0);
    assert.equal((await purge(store, deletedAt + listedTime + 1)).resourceServers, 1);
  });

  it('keeps a deleted resource server during the retention of one of its clients', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const api = await addResourceServer(store);
    const { id } = await addClient(store, 'x', api);
    await store.resourceServers.delete(api.id);
    const deletedAt = database.clock.now();
    await database.sql('update client set deleted_at = ? where id = ?', deletedAt + hour, id);
    assert.deepEqual(await purge(store, deletedAt + 1), nothing);
    assert.deepEqual(await purge(store, deletedAt + hour + 1), {
      ...nothing,
      clients: 1,
      resourceServers: 1,
    });
  });

  it('keeps existing records of any age', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const api = await addResourceServer(store);
    await addClient(store, 'x', api);
    await store.accessTokens.insert(tokenFactory()({ creationDate: 1 }));
    assert.deepEqual(await purge(store, database.clock.now() + 1000 * hour), nothing);
    await store.refreshRegistry();
    assert.notEqual(store.registry.clientByClientId('x'), undefined);
    assert.equal((await store.accessTokens.list({ limit: 10 })).length, 1);
  });

  it('does not use the ids of removed records again', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const api = await addResourceServer(store);
    const client = await addClient(store, 'x', api);
    await store.resourceServers.delete(api.id);
    await purge(store, database.clock.now() + 1);
    const again = await addResourceServer(store);
    assert.ok(again.id > api.id);
    assert.ok((await addClient(store, 'x', again)).id > client.id);
  });

  it('stops at a signal, and removes nothing more', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const api = await addResourceServer(store);
    await store.resourceServers.delete(api.id);
    await store.accessTokens.insert(tokenFactory()({ expires: 1 }));
    const now = database.clock.now() + 1;
    assert.deepEqual(await purge(store, now, { signal: AbortSignal.abort() }), nothing);
    assert.deepEqual(await purge(store, now), {
      ...nothing,
      expiredTokens: 1,
      resourceServers: 1,
      outboxMessages: 1,
    });
  });
});
