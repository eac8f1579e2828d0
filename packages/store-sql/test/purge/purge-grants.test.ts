import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type AccessToken,
  type AuthorizationCode,
  type Grant,
  identityOf,
  type RefreshToken,
} from '@watchword/protocol';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import {
  addClient,
  addResourceServer,
  grantFactory,
  rounds,
  sessionFactory,
  slowTest,
} from '@watchword/testkit';
import fc from 'fast-check';
import type { Store } from '../../src/index.ts';
import { insertSql } from '../support/insert-sql.ts';
import { idsIn, tablesWithOrphans, underGrants } from '../support/rows.ts';
import { sharedDatabase } from '../support/shared-database.ts';
import type { TestDatabase } from '../support/test-database.ts';

const testDatabase = sharedDatabase();

type Owner = 'live' | 'deleted' | 'revoked';

/** The events under a grant; times are in milliseconds from now. */
interface Flow {
  readonly owner: Owner;
  readonly createdAt: number;
  readonly codeExpires: number;
  /** Expiries: first of the redemption, then of each rotation; an access token with 0 does not expire. */
  readonly issues: readonly { readonly access: number; readonly refresh: number | undefined }[];
  /** Indexes of the access tokens that are revoked. */
  readonly givenBack: readonly number[];
  readonly isRevoked: boolean;
}

const near = fc.integer({ min: -3, max: 3 }).filter((offset) => offset !== 0);
const flow: fc.Arbitrary<Flow> = fc.record({
  owner: fc.constantFrom<Owner>('live', 'live', 'live', 'deleted', 'revoked'),
  createdAt: fc.integer({ min: -13, max: -7 }),
  codeExpires: near,
  issues: fc.array(
    fc.record({
      access: fc.oneof(fc.constant(0), near),
      refresh: fc.option(near, { nil: undefined, freq: 4 }),
    }),
    { maxLength: 3 },
  ),
  givenBack: fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 2 }),
  isRevoked: fc.constantFrom(true, false, false, false),
});

interface Played {
  readonly flow: Flow;
  readonly grant: Grant;
  readonly code: AuthorizationCode;
  /** The access tokens that are not revoked. */
  readonly accessTokens: readonly AccessToken[];
  readonly refreshTokens: readonly RefreshToken[];
  /** The last expiry under the grant; 0 = a token without expiry. */
  readonly bound: number;
  /** Revoked, directly or with its last token. */
  readonly isEnded: boolean;
}

const revokedUpTo = -10;

async function play(
  store: Store,
  flow: Flow,
  clients: Readonly<Record<Owner, number>>,
  now: number,
  seed: string,
): Promise<Played> {
  const make = grantFactory(seed);
  const creationDate = now + flow.createdAt;
  const grant = make.grant({ clientRecordId: clients[flow.owner], creationDate });
  const code = make.code(grant, { expires: now + flow.codeExpires });
  await store.authorizationCodes.insert(code, grant);
  const accessTokens: AccessToken[] = [];
  const refreshTokens: RefreshToken[] = [];
  let last: RefreshToken | undefined;
  for (const [index, { access, refresh }] of flow.issues.entries()) {
    const made = make.tokens(grant);
    const accessToken = { ...made.accessToken, expires: access === 0 ? 0 : now + access };
    const refreshToken = { ...made.refreshToken, expires: now + (refresh ?? 1) };
    if (index === 0) {
      const issued = { accessToken, refreshToken: refresh === undefined ? undefined : refreshToken };
      assert.ok(await store.authorizationCodes.redeem(code.id, issued, creationDate));
    } else {
      if (last === undefined) break;
      const issued = { accessToken, refreshToken };
      assert.ok(await store.refreshTokens.rotate(last.id, issued, 'sealed', creationDate));
    }
    accessTokens.push(accessToken);
    last = index === 0 && refresh === undefined ? undefined : refreshToken;
    if (last !== undefined) refreshTokens.push(last);
  }
  const ends = [...accessTokens, ...refreshTokens, code].map(({ expires }) => expires);
  const bound = ends.includes(0) ? 0 : Math.max(...ends);
  const givenBack = flow.givenBack.flatMap((index) => accessTokens[index] ?? []);
  for (const { id } of givenBack) await store.accessTokens.revoke(id);
  if (flow.isRevoked) await store.grants.revoke(grant.id, now);
  const left = accessTokens.filter((token) => !givenBack.includes(token));
  const isEnded = flow.isRevoked || (givenBack.length > 0 && left.length === 0 && last === undefined);
  return { flow, grant, code, accessTokens: left, refreshTokens, bound, isEnded };
}

interface Left {
  readonly grant: boolean;
  readonly accessTokens: readonly AccessToken[];
  readonly refreshTokens: readonly RefreshToken[];
  readonly code: boolean;
}

const nothingLeft: Left = { grant: false, accessTokens: [], refreshTokens: [], code: false };

/** The rows that the purge must keep. */
function expected(played: Played, now: number): Left {
  const { flow, code, accessTokens, refreshTokens, bound, isEnded } = played;
  if (isEnded || flow.owner === 'deleted') return nothingLeft;
  if (flow.owner === 'revoked' && flow.createdAt <= revokedUpTo) return nothingLeft;
  const isLeft = ({ expires }: { readonly expires: number }) => expires === 0 || expires >= now;
  const left = {
    accessTokens: accessTokens.filter(isLeft),
    refreshTokens: refreshTokens.filter(isLeft),
    code: isLeft(code),
  };
  if (bound > 0) return { ...left, grant: bound >= now };
  const unused = refreshTokens.at(-1);
  const isEmpty = left.accessTokens.length === 0 && (unused === undefined || !isLeft(unused));
  return isEmpty ? nothingLeft : { ...left, grant: true };
}

async function threeClients(store: Store, now: number): Promise<Record<Owner, number>> {
  const api = await addResourceServer(store);
  const [live, deleted, revoked] = [
    await addClient(store, 'live', api),
    await addClient(store, 'deleted', api),
    await addClient(store, 'revoked', api),
  ];
  await store.clients.delete(deleted.id);
  await store.clients.revokeTokens(revoked.id, now + revokedUpTo);
  return { live: live.id, deleted: deleted.id, revoked: revoked.id };
}

/** Leaves no row under a grant, and the work of the ended clients as it was before the first purge. */
async function empty(database: TestDatabase): Promise<void> {
  await database.sql('update outbox_message set times_done = 0');
  for (const table of [...underGrants, 'authorization_grant']) await database.sql(`delete from ${table}`);
}

async function setUp(database: TestDatabase) {
  const store = await database.openServer();
  const now = database.clock.now();
  // The deleted client stays in all runs: only its dependent rows are removed.
  const purge = (batchSize: number, signal?: AbortSignal) =>
    store.purge({ expiredBefore: now, deletedBefore: 0, batchSize, ...(signal && { signal }) });
  return { store, now, purge, clients: await threeClients(store, now) };
}

/** A signal that is aborted after this number of reads. */
function raisedAfter(questions: number): AbortSignal {
  let left = questions;
  return Object.defineProperty(new AbortController().signal, 'aborted', {
    get() {
      left -= 1;
      return left < 0;
    },
  });
}

describe('the purge, under grants', () => {
  it('removes invalid records and no others, for any content and with small batches', async () => {
    await using database = await testDatabase();
    const { store, now, purge, clients } = await setUp(database);
    await fc.assert(
      fc.asyncProperty(
        fc.array(flow, { maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        fc.string(),
        async (flows, batchSize, seed) => {
          await empty(database);
          const played = await Promise.all(
            flows.map((each, index) => play(store, each, clients, now, `${seed}/${index}`)),
          );
          const before: Record<string, number> = {};
          for (const table of [...underGrants, 'authorization_grant']) {
            before[table] = await database.count(table);
          }
          const left = played.map((each) => ({ ...each, left: expected(each, now) }));
          const kept = {
            access_token: left.flatMap((each) => each.left.accessTokens),
            refresh_token: left.flatMap((each) => each.left.refreshTokens),
            authorization_code: left.filter((each) => each.left.code).map(({ code }) => code),
            authorization_grant: left.filter((each) => each.left.grant).map(({ grant }) => grant),
          };

          const report = await purge(batchSize);
          for (const [table, records] of Object.entries(kept) as [keyof typeof kept, { id: string }[]][]) {
            assert.deepEqual(await idsIn(database, table), records.map(({ id }) => id).toSorted(), table);
          }
          assert.deepEqual(await tablesWithOrphans(database), []);
          const removed = (table: keyof typeof kept) => (before[table] ?? 0) - kept[table].length;
          assert.equal(report.expiredTokens + report.revokedTokens, removed('access_token'));
          assert.equal(report.refreshTokens, removed('refresh_token'));
          assert.equal(report.authorizationCodes, removed('authorization_code'));
          assert.equal(report.grants, removed('authorization_grant'));
        },
      ),
      { numRuns: rounds(3, 100) },
    );
  });

  slowTest('stops between any two batches without leaving rows under a removed grant', async () => {
    await using database = await testDatabase();
    const { store, now, purge, clients } = await setUp(database);
    const flows = fc.sample(flow, { numRuns: rounds(3, 30), seed: 7 });
    for (let questions = 0; ; questions += 1) {
      await empty(database);
      const played = await Promise.all(
        flows.map((each, index) => play(store, each, clients, now, `${index}`)),
      );
      const signal = raisedAfter(questions);
      await purge(3, signal);
      assert.deepEqual(await tablesWithOrphans(database), [], `stopped at question ${questions}`);
      const grants = await idsIn(database, 'authorization_grant');
      const tokens = await idsIn(database, 'access_token');
      for (const each of played) {
        const left = expected(each, now);
        if (left.grant) assert.ok(grants.includes(each.grant.id));
        for (const { id } of left.accessTokens) assert.ok(tokens.includes(id));
      }
      if (!signal.aborted) break;
      await purge(3);
      const kept = played.filter((each) => expected(each, now).grant).map(({ grant }) => grant.id);
      assert.deepEqual(await idsIn(database, 'authorization_grant'), kept.toSorted());
    }
  });

  it('ends the turn of each kind of rows, and keeps a grant until its last row is removed', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const make = grantFactory();
    const count = 7;
    for (let index = 0; index < count; index += 1) {
      const grant = make.grant();
      const code = make.code(grant);
      await store.authorizationCodes.insert(code, grant);
      await store.authorizationCodes.redeem(code.id, make.tokens(grant), grant.creationDate);
    }
    const expiredBefore = database.clock.now() + 365 * 86_400_000;
    const rounds: number[][] = [];
    for (let isLeft = true; isLeft; ) {
      isLeft = false;
      const pace = {
        batchTime: 1,
        turn: 1,
        leave() {
          isLeft = true;
        },
        rest: async () => {},
      };
      const options = { expiredBefore, deletedBefore: 0, batchSize: 3, pace };
      const { expiredTokens, refreshTokens, authorizationCodes, grants } = await store.purge(options);
      rounds.push([expiredTokens, refreshTokens, authorizationCodes, grants]);
      assert.deepEqual(await tablesWithOrphans(database), []);
    }
    assert.deepEqual(rounds.slice(0, 2), [
      [3, 3, 3, rounds[0]?.[3]],
      [3, 3, 3, rounds[1]?.[3]],
    ]);
    const sums = [0, 1, 2, 3].map((kind) => rounds.reduce((sum, round) => sum + (round[kind] ?? 0), 0));
    assert.deepEqual(sums, [count, count, count, count]);
  });

  it('keeps a redeemed code until its retention ends, so that a replay is recognized', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const make = grantFactory();
    const grant = make.grant();
    const code = make.code(grant);
    await store.authorizationCodes.insert(code, grant);
    await store.authorizationCodes.redeem(code.id, make.tokens(grant), grant.creationDate);
    const purge = (expiredBefore: number) => store.purge({ expiredBefore, deletedBefore: 0, batchSize: 10 });
    assert.equal((await purge(code.expires)).authorizationCodes, 0);
    assert.ok((await store.authorizationCodes.find(code.id))?.isRedeemed);
    assert.equal((await purge(code.expires + 1)).authorizationCodes, 1);
    assert.equal(await store.authorizationCodes.find(code.id), undefined);
  });

  it('keeps a code in any state while the consent page that it answered is valid', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const make = grantFactory();
    const issuedAt = make.grant().creationDate;
    const issue = async (overrides: Partial<Grant> = {}) => {
      const grant = make.grant(overrides);
      const code = make.code(grant);
      await store.authorizationCodes.insert(code, grant);
      return { grant, code };
    };
    const [unused, redeemed, revoked] = [await issue(), await issue(), await issue({ clientRecordId: 2 })];
    const withdrawn = await issue({ clientRecordId: 3 });
    await store.authorizationCodes.redeem(redeemed.code.id, make.tokens(redeemed.grant), issuedAt);
    await store.grants.revoke(revoked.grant.id, issuedAt);
    await store.grants.withdraw(withdrawn.grant.owner.subject, [{ clientRecordId: 3 }], issuedAt);
    const codes = [unused, redeemed, revoked, withdrawn].map(({ code }) => code);
    const far = issuedAt + 86_400_000;
    const purge = (answeredBefore: number) =>
      store.purge({ expiredBefore: far, deletedBefore: far, answeredBefore, batchSize: 2 });
    const given = () => Promise.all(codes.map(({ id }) => store.consentAnswers.isGiven(id)));

    await purge(issuedAt);
    assert.deepEqual(
      await given(),
      codes.map(() => true),
    );
    assert.equal(await database.count('authorization_grant'), codes.length);
    await purge(unused.code.expires + 1);
    assert.deepEqual(
      await given(),
      codes.map(() => false),
    );
    await purge(far);
    assert.deepEqual(await idsIn(database, 'authorization_grant'), []);
  });

  it('keeps a rotated refresh token until its own expiry, and shows it as rotated', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const make = grantFactory();
    const grant = make.grant();
    const code = make.code(grant);
    await store.authorizationCodes.insert(code, grant);
    const [first, second] = [make.tokens(grant), make.tokens(grant)];
    const successor = { ...second.refreshToken, expires: first.refreshToken.expires - 1000 };
    await store.authorizationCodes.redeem(code.id, first, grant.creationDate);
    const rotated = { ...second, refreshToken: successor };
    await store.refreshTokens.rotate(first.refreshToken.id, rotated, 'sealed', grant.creationDate);
    const purge = (expiredBefore: number) => store.purge({ expiredBefore, deletedBefore: 0, batchSize: 10 });
    const rotation = async () => (await store.refreshTokens.find(first.refreshToken.id))?.rotation;
    assert.equal((await rotation())?.successorIsRotated, false);
    assert.equal((await purge(successor.expires + 1)).refreshTokens, 1);
    assert.ok((await rotation())?.successorIsRotated);
    assert.equal((await purge(first.refreshToken.expires + 1)).refreshTokens, 1);
    assert.equal(await rotation(), undefined);
  });

  it('clears the answer of a rotated refresh token after the longest grace, batch by batch, and no other answer', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const make = grantFactory();
    const rotatedAt = make.grant().creationDate;
    const rotate = async (at: number) => {
      const grant = make.grant();
      const code = make.code(grant);
      await store.authorizationCodes.insert(code, grant);
      const [first, second] = [make.tokens(grant), make.tokens(grant)];
      await store.authorizationCodes.redeem(code.id, first, grant.creationDate);
      await store.refreshTokens.rotate(first.refreshToken.id, second, `answer ${at}`, at);
      return [first.refreshToken.id, second.refreshToken.id] as const;
    };
    const times = [-3, -2, -1, 0, 1].map((age) => rotatedAt + age);
    const ids = [];
    for (const at of times) ids.push(await rotate(at));
    const clear = () =>
      store.purge({ expiredBefore: 0, deletedBefore: 0, unrepeatableBefore: rotatedAt, batchSize: 2 });
    assert.equal((await clear()).sealedAnswers, 3);
    assert.equal((await clear()).sealedAnswers, 0);
    for (const [index, [id, successor]] of ids.entries()) {
      const at = times[index] ?? 0;
      assert.deepEqual((await store.refreshTokens.find(id))?.rotation, {
        at,
        sealedAnswer: at < rotatedAt ? undefined : `answer ${at}`,
        successorIsRotated: false,
      });
      assert.deepEqual((await store.refreshTokens.find(successor))?.rotation, undefined);
    }
    // A node of the release before takes a token without any text for one that was not rotated.
    assert.equal(
      await database.count('refresh_token where rotated_at is not null and sealed_answer is null'),
      0,
    );
  });

  it('keeps a deleted client while a grant or a consent of it exists', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const { id } = await addClient(store, 'x', await addResourceServer(store));
    const make = grantFactory();
    const [gone, other] = [make.grant({ clientRecordId: id }), make.grant({ clientRecordId: id + 1 })];
    for (const grant of [gone, other]) {
      await store.authorizationCodes.insert(make.code(grant), grant);
      const { owner, clientRecordId } = grant;
      const key = { owner: identityOf(owner), subject: owner.subject, clientRecordId, redirectUri: '' };
      await store.consents.save({ key, scopes: ['read'], savedAt: 0 }, grant.id);
      await store.consents.save(
        { key: { ...key, redirectUri: 'x' }, scopes: ['read'], savedAt: 0 },
        grant.id,
      );
    }
    await store.clients.delete(id);
    const purge = (signal?: AbortSignal) =>
      store.purge({
        expiredBefore: 0,
        deletedBefore: database.clock.now() + 1,
        batchSize: 1,
        ...(signal && { signal }),
      });
    let total = { grants: 0, consents: 0, authorizationCodes: 0 };
    for (let questions = 0; (await database.count('client')) === 1; questions += 1) {
      const report = await purge(raisedAfter(questions));
      total = {
        grants: total.grants + report.grants,
        consents: total.consents + report.consents,
        authorizationCodes: total.authorizationCodes + report.authorizationCodes,
      };
    }
    assert.deepEqual(total, { grants: 1, consents: 2, authorizationCodes: 1 });
    assert.deepEqual(await idsIn(database, 'authorization_grant'), [other.id]);
    assert.equal(await database.count('consent'), 2);
  });

  const between = onlyOn('sqlite', 'the other write is made while a signal is read, which cannot wait');
  for (const [what, table, key] of [
    ['consent', 'consent', {}],
    ['grant', 'authorization_grant', { id: "x'01'" }],
  ] as const) {
    it(`keeps a deleted client that gets a ${what} during the purge`, between, async () => {
      await using database = await testDatabase();
      const store = await database.openServer();
      const { id } = await addClient(store, 'x', await addResourceServer(store));
      await store.clients.delete(id);
      const db = database.connect();
      const insert = await insertSql(database, table, { ...key, client_record_id: '?' });
      const late = db.prepare(`${insert} where true on conflict do nothing`);
      const signal = Object.defineProperty(new AbortController().signal, 'aborted', {
        get: () => late.run(id).changes > 1,
      });
      const options = { expiredBefore: 0, deletedBefore: database.clock.now() + 1, batchSize: 10 };
      assert.equal((await store.purge({ ...options, signal })).clients, 0);
      assert.equal((await store.purge(options)).clients, 1);
    });
  }

  it('keeps the consents of a client whose tokens were revoked', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const { id } = await addClient(store, 'x', await addResourceServer(store));
    const make = grantFactory();
    const grant = make.grant({ clientRecordId: id });
    await store.authorizationCodes.insert(make.code(grant), grant);
    const { owner } = grant;
    const key = { owner: identityOf(owner), subject: owner.subject, clientRecordId: id, redirectUri: '' };
    await store.consents.save({ key, scopes: ['read'], savedAt: 0 }, grant.id);
    await store.clients.revokeTokens(id, database.clock.now());
    const report = await store.purge({ expiredBefore: 0, deletedBefore: 0, batchSize: 10 });
    assert.equal(report.consents, 0);
    assert.deepEqual((await store.consents.find(key))?.scopes, ['read']);
  });

  it('removes expired sessions and no others', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const make = sessionFactory();
    const now = database.clock.now();
    const sessions = [now - 2, now - 1, now, now + 1].map((expires) => make({ expires }));
    for (const session of sessions) await store.loginSessions.insert(session);
    const report = await store.purge({ expiredBefore: now, deletedBefore: 0, batchSize: 1 });
    assert.equal(report.loginSessions, 2);
    assert.deepEqual(
      await idsIn(database, 'login_session'),
      sessions
        .slice(2)
        .map(({ id }) => id)
        .toSorted(),
    );
  });
});
