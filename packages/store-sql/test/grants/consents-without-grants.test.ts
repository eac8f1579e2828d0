import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  accountIdentityProvider,
  type GrantEntry,
  type GrantScan,
  identityOf,
  type SkippedEntry,
} from '@watchword/protocol';
import {
  addClient,
  addResourceServer,
  buildAccount,
  buildResourceOwner,
  grantFactory,
} from '@watchword/testkit';
import { sharedDatabase } from '../support/shared-database.ts';
import type { TestDatabase } from '../support/test-database.ts';

const testDatabase = sharedDatabase();

const owner = buildResourceOwner('emma', accountIdentityProvider);
const day = 24 * 3_600_000;

/** Two clients to which the resource owner consented, with their grants. */
async function setUp(database: TestDatabase) {
  const store = await database.openServer();
  const now = database.clock.now();
  const make = grantFactory();
  const server = await addResourceServer(store);
  const clients = [await addClient(store, 'a', server), await addClient(store, 'b', server)];
  const grants = clients.map(({ id }, index) =>
    make.grant({ owner, clientRecordId: id, creationDate: now + index }),
  );
  for (const grant of grants) {
    await store.authorizationCodes.insert(make.code(grant), grant);
    await store.consents.save({ key: keyOf(grant), scopes: ['read'], savedAt: now }, grant.id);
  }
  const [clientRecordId = 0] = clients.map(({ id }) => id);
  const scans: Record<string, GrantScan> = {
    all: { of: 'all', limit: 1 },
    client: { of: 'client', clientRecordId, limit: 1 },
    resourceServer: { of: 'resourceServer', resourceServerId: server.id, limit: 1 },
    subject: { of: 'subject', subject: owner.subject, limit: 1 },
    owner: { of: 'owner', name: owner.principal.name, limit: 1 },
  };
  const { grantList } = store;
  const all = () => consentsIn({ of: 'all', limit: 1 }, (page) => grantList.scan(page, now));
  const consents = async () => {
    const found: Record<string, string[]> = {};
    for (const [name, scan] of Object.entries(scans)) {
      found[name] = await consentsIn(scan, (page) => grantList.scan(page, now));
      found[`search of ${name}`] = await consentsIn(scan, (page) =>
        grantList.search(page, async () => true, now),
      );
    }
    return found;
  };
  const purge = (expiredBefore = now) =>
    store.purge({ expiredBefore, deletedBefore: 0, answeredBefore: now + day, batchSize: 1 });
  return { store, now, grants, all, consents, purge };
}

async function consentsIn(
  scan: GrantScan,
  read: (scan: GrantScan) => Promise<readonly (GrantEntry | SkippedEntry)[]>,
): Promise<string[]> {
  const entries: (GrantEntry | SkippedEntry)[] = [];
  for (let page = await read(scan); page.length > 0; ) {
    entries.push(...page);
    const before = entries.at(-1);
    page = await read({ ...scan, ...(before && { before }) });
  }
  return entries.filter(({ type }) => type === 'consent').map(({ id }) => id);
}

function keyOf({ clientRecordId }: { readonly clientRecordId: number }) {
  const { subject } = owner;
  return { owner: identityOf(owner), subject, clientRecordId, redirectUri: 'https://app.example/cb' };
}

const endings = {
  'was revoked': async ({ store, now, grants }) => {
    for (const { id } of grants) await store.grants.revoke(id, now);
  },
  'was revoked and removed': async ({ store, now, grants, purge }) => {
    for (const { id } of grants) await store.grants.revoke(id, now);
    assert.equal((await purge()).grants, grants.length);
  },
  'expired and was removed': async ({ grants, now, purge }) => {
    assert.equal((await purge(now + day)).grants, grants.length);
  },
} satisfies Record<string, (set: Awaited<ReturnType<typeof setUp>>) => Promise<void>>;

describe('a consent whose grant has ended', () => {
  for (const [how, end] of Object.entries(endings)) {
    it(`stays in each list, at its place, when its grant ${how}`, async () => {
      await using database = await testDatabase();
      const set = await setUp(database);
      const { store, grants, consents } = set;
      const before = await consents();
      const newestFirst = grants.map(({ id }) => id).toReversed();
      assert.deepEqual(before.all, newestFirst);
      await end(set);
      assert.deepEqual(await consents(), before);
      const listed = await store.consents.listBySubject(owner.subject);
      assert.deepEqual(
        listed.map(({ clientRecordId }) => clientRecordId),
        grants.map(({ clientRecordId }) => clientRecordId),
      );
      for (const grant of grants) {
        const entry = (await store.grantList.find(grant.id, set.now)).find(({ type }) => type === 'consent');
        assert.deepEqual(entry?.consentedScopes, ['read']);
      }
    });

    it(`is withdrawn, ended or deleted with its account when its grant ${how}`, async () => {
      await using database = await testDatabase();
      const set = await setUp(database);
      const { store, now, grants, all } = set;
      await end(set);
      const [first, second] = [grants[0] ?? assert.fail(), grants[1] ?? assert.fail()];
      await store.grants.withdraw(owner.subject, [{ clientRecordId: first.clientRecordId }], now);
      assert.deepEqual(await all(), [second.id]);
      const subject = owner.subject;
      const ended = await store.transact((stores) => stores.grants.end([{ ...second, subject }], now));
      assert.equal(ended.consents, 1);
      assert.deepEqual(await all(), []);

      const again = grantFactory('again').grant({ owner, creationDate: now });
      await store.authorizationCodes.insert(grantFactory('again').code(again), again);
      await store.consents.save({ key: keyOf(again), scopes: ['read'], savedAt: now }, again.id);
      await end({ ...set, grants: [again] });
      await store.accounts.create(buildAccount({ username: owner.principal.name }));
      await store.accounts.delete(owner.principal.name, now);
      assert.equal(await store.consents.find(keyOf(again)), undefined);
    });
  }

  it('is found by its new grant when it is given again', async () => {
    await using database = await testDatabase();
    const set = await setUp(database);
    const { store, now, grants, all } = set;
    await endings['was revoked and removed'](set);
    const first = grants[0] ?? assert.fail();
    const make = grantFactory('again');
    const again = make.grant({ owner, clientRecordId: first.clientRecordId, creationDate: now + 9 });
    await store.authorizationCodes.insert(make.code(again), again);
    const consent = { key: keyOf(again), scopes: ['read'], replaces: first.id, savedAt: now };
    assert.ok(await store.consents.save(consent, again.id));
    assert.deepEqual(await all(), [again.id, grants[1]?.id]);
    assert.equal(await database.count('consent where grant_removed = 1'), 1);
  });
});
