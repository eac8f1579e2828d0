import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StoreDamagedError } from '@watchword/protocol';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import { buildAccount, damagePage, grantFactory, leafPages, tokenFactory } from '@watchword/testkit';
import { Kysely } from 'kysely';
import { sqliteDialect } from '../../src/dialects/sqlite/dialect.ts';
import { SqliteWriter } from '../../src/dialects/sqlite/threads/writer.ts';
import { accessTokenList } from '../../src/grants/access-tokens.ts';
import { sqlConsents } from '../../src/grants/consents.ts';
import { sqlEndedGrants } from '../../src/grants/end-access.ts';
import { sqlGrants } from '../../src/grants/grants.ts';
import { sqlIssuedTokens } from '../../src/grants/issued-tokens.ts';
import { accessTokenScan } from '../../src/grants/lists/access-token-scan.ts';
import { sqlGrantList } from '../../src/grants/lists/grant-list.ts';
import { countedSegments, noSegments } from '../../src/grants/token-segments.ts';
import { sqlAuditEvents } from '../../src/history/audit-events.ts';
import { sqlRequestErrors } from '../../src/history/request-errors.ts';
import { countActiveTokens, sqlStatistics } from '../../src/history/statistics.ts';
import { sqlLoginSessions } from '../../src/logins/login-sessions.ts';
import { SessionEnds } from '../../src/logins/session-ends.ts';
import { sqlAccounts } from '../../src/people/accounts.ts';
import { purge } from '../../src/purge/purge.ts';
import { deleteClients } from '../../src/purge/records.ts';
import { sqlClients } from '../../src/records/clients.ts';
import { sqlResourceServers } from '../../src/records/resource-servers.ts';
import type { Schema } from '../../src/schema/schema.ts';
import { insertSql } from '../support/insert-sql.ts';
import { migratedFile } from '../support/migrated-file.ts';
import { type TestDatabase, testDatabase } from '../support/test-database.ts';

const only = onlyOn('sqlite', 'reads its query plans');

const owner = { identityProvider: 'password', name: 'emma' };
const id = '019b76da-a800-7000-8000-000000000000';

/** Runs the work on an empty database, and returns the query plan of each of its statements. */
async function plansOf(
  database: TestDatabase,
  work: (db: Kysely<Schema>) => Promise<unknown>,
): Promise<string[]> {
  await migratedFile(database.file);
  const connection = database.connect();
  for (const [table, values] of [
    ['client', { id: '1', tokens_valid_from: '1', deleted_at: '0' }],
    ['authorization_grant', { id: "x'01'", client_record_id: '1', revoked_at: '1' }],
    ['consent', { client_record_id: '1', subject: "'s'", grant_id: "x'01'" }],
    ['refresh_token', { id: "x'01'", grant_id: "x'01'", client_record_id: '1', expires: '1' }],
    ['outbox_message', { sequence_number: '1', topic: "'tokens_ended'", payload: `'{"clientRecordId":1}'` }],
  ] as const) {
    connection.exec(await insertSql(database, table, values));
  }
  // More tokens than a list returns, in so many segments that they are divided.
  for (let segment = 1; segment <= 20; segment += 1) {
    const values = { id: `x'${segment + 10}'`, client_record_id: '1', segment: String(segment) };
    connection.exec(await insertSql(database, 'access_token', values));
  }
  const writer = await SqliteWriter.open({ file: database.file, busyTimeout: 1000 }, () => {});
  const statements: { readonly sql: string; readonly parameters: readonly unknown[] }[] = [];
  try {
    await work(
      new Kysely<Schema>({
        dialect: sqliteDialect(writer),
        log: ({ query }) => void statements.push(query),
      }),
    );
  } finally {
    await writer.close();
  }
  // Kysely's statements that begin otherwise run on the connection that writes, also if they only read.
  assert.deepEqual(
    statements.filter(({ sql }) => /^\s*with\b/.test(sql)),
    [],
  );
  return statements
    .filter(({ sql }) => /^(?:select|update|delete)/.test(sql))
    .flatMap(({ sql, parameters }) => {
      const explained = connection.prepare(`explain query plan ${sql}`);
      const steps = explained.all(...(parameters as (string | number | Buffer)[]));
      // A part of a union has a limit of its own. The few rows that it returns are sorted once more.
      const unions = steps.filter(({ detail }) => detail === 'SCAN part').map(({ parent }) => parent);
      return steps
        .filter(({ parent, detail }) => !unions.includes(parent) || /^CO-ROUTINE/.test(String(detail)))
        .map(({ detail }) => `${detail} | ${sql}`);
    });
}

/** More rows than those among which a search looks first. */
async function addOldRows(database: TestDatabase): Promise<void> {
  for (const table of ['access_token', 'authorization_grant', 'login_event']) {
    const insert = await insertSql(database, table, { id: "unhex(printf('%032x', i))" }, 'from numbers');
    await database.sql(
      `with recursive numbers (i) as (select 1 union all select i + 1 from numbers limit 1001) ${insert}`,
    );
  }
}

const neverChanged = () => Promise.reject(new Error('nothing is changed here'));

/** Whether a plan reads too much: a whole table, or rows that it must sort. Indexes `unsearched` and `search_others` have few rows. */
function wasteful(plans: readonly string[]): string[] {
  return plans
    .filter((plan) => /^SCAN|TEMP B-TREE/.test(plan))
    .filter(
      (plan) =>
        !/^SCAN (?:client|resource_server|registry_revision|constant row|record|run|listed|\w+ USING INDEX \w+_(?:unsearched|search_others)|\d+ CONSTANT ROWS)\b/.test(
          plan,
        ),
    );
}

describe('statements on tables that grow', only, () => {
  it('of the purge read only the rows that they remove', async () => {
    await using database = await testDatabase();
    const plans = await plansOf(database, (db) =>
      purge(db, countedSegments(), {
        expiredBefore: 100,
        deletedBefore: 0,
        answeredBefore: 100,
        unrepeatableBefore: 100,
        auditedBefore: 100,
        countedBefore: 100,
        countedByClientBefore: 100,
        failedBefore: 100,
        batchSize: 10,
        worked: () => 0,
        committed: () => 0,
      }),
    );
    for (const table of [
      'access_token',
      'refresh_token',
      'authorization_code',
      'authorization_grant',
      'consent',
      'audit_event',
      'issued_to_client',
      'request_error',
    ]) {
      assert.ok(
        plans.some((plan) => plan.startsWith(`SEARCH ${table} USING`)),
        table,
      );
    }
    const ofClient =
      /^SEARCH access_token USING COVERING INDEX access_token_segment \(segment=\? AND client_record_id=\? AND id<\?\) \| delete/;
    assert.ok(
      plans.some((plan) => ofClient.test(plan)),
      plans.join('\n'),
    );
    assert.deepEqual(wasteful(plans), []);
  });

  it('of the removal of clients read the resource servers once, and not for each batch', async () => {
    await using database = await testDatabase();
    const plans = await plansOf(database, async (db) => {
      const connection = database.connect();
      for (const id of ['2', '3', '4']) {
        connection.exec(await insertSql(database, 'client', { id, deleted_at: '0' }));
      }
      const bounds = { expiredBefore: 100, deletedBefore: 100, batchSize: 1 };
      assert.equal(
        await deleteClients(db, countedSegments(), { ...bounds, worked: () => 0, committed: () => 0 }),
        3,
      );
    });
    assert.equal(plans.filter((plan) => /from "resource_server" where/.test(plan)).length, 1);
  });

  it('of the count of active tokens read indexes and no table', async () => {
    await using database = await testDatabase();
    const plans = await plansOf(database, (db) =>
      countActiveTokens(db, countedSegments(), 100, new AbortController().signal),
    );
    const reads = plans.filter((plan) => !plan.startsWith('SEARCH access_token USING COVERING INDEX'));
    assert.deepEqual([plans.length > 0, reads], [true, []]);
  });

  it('of the lists and withdrawals read only the rows that they return', async () => {
    await using database = await testDatabase();
    const plans = await plansOf(database, async (db) => {
      const list = accessTokenList(db, countedSegments());
      await list({ limit: 10, after: id });
      await list({ limit: 10, after: id, clientRecordId: 1 });
      await list({ limit: 10, clientRecordId: 1 });
      const grants = sqlGrants(db, false);
      await grants.listBySubject('subject', 0);
      await sqlConsents(db).listBySubject('subject');
      await grants.withdraw('subject', [{ clientRecordId: 1 }], 0);
      const accounts = sqlAccounts(db, new SessionEnds());
      await accounts.create(buildAccount({ username: owner.name }));
      await accounts.delete(owner.name, 0);
    });
    for (const search of [
      'SEARCH authorization_grant USING INDEX authorization_grant_subject (subject=?)',
      'SEARCH authorization_grant USING INDEX authorization_grant_revoked_subject (subject=?)',
      'SEARCH authorization_grant USING INDEX authorization_grant_owner (principal_name=? AND identity_provider=?)',
      'SEARCH g USING INDEX authorization_grant_subject (subject=?)',
      'SEARCH g USING INDEX authorization_grant_revoked_subject (subject=?)',
      'SEARCH c USING PRIMARY KEY (client_record_id=? AND identity_provider=? AND principal_name=?)',
      'SEARCH c USING INDEX consent_subject (subject=?)',
      'SEARCH consent USING PRIMARY KEY (client_record_id=? AND identity_provider=? AND principal_name=?)',
      'SEARCH consent USING INDEX consent_subject (subject=?)',
      'SEARCH consent USING INDEX consent_owner (principal_name=? AND identity_provider=?)',
    ]) {
      assert.ok(
        plans.some((plan) => plan.startsWith(search)),
        `${search}\n${plans.join('\n')}`,
      );
    }
    assert.deepEqual(wasteful(plans), []);
  });

  it('of a search read an index with the texts, and of the rows only those that they return', async () => {
    await using database = await testDatabase();
    const plans = await plansOf(database, async (db) => {
      await addOldRows(database);
      const clients = sqlClients(db, neverChanged, { now: () => 0 });
      const accounts = sqlAccounts(db, new SessionEnds());
      for (const from of [{}, { after: 1 }]) {
        const page = { mayContain: 'x', limit: 10, ...from };
        for (const filter of [{}, { resourceServerId: 1 }, { owner }])
          await clients.list({ ...page, ...filter });
      }
      for (const from of [{}, { after: 'a' }]) {
        const page = { mayContain: 'x', limit: 10, ...from };
        for (const filter of [{}, { disabled: true }, { adminPrincipal: false }])
          await accounts.list({ ...page, ...filter });
      }
      const servers = sqlResourceServers(db, neverChanged, { now: () => 0 });
      await servers.list({ mayContain: 'x', limit: 10 });
      const events = sqlAuditEvents(db);
      for (const from of [{}, { before: id }]) await events.list({ mayContain: 'x', limit: 10, ...from });
      const scan = accessTokenScan(db, countedSegments());
      await scan({ of: 'all', mayContain: 'x', limit: 10 });
      await sqlGrantList(db).scan({ of: 'all', mayContain: 'x', limit: 10 }, 0);
    });
    // An order of an index without the names would look up each row.
    for (const [table, searches] of [
      ['authorization_grant', 2],
      // The other search has a position.
      ['login_event', 1],
    ] as const) {
      const ofNames = plans.filter((plan) => new RegExp(`^SCAN ${table}\\b.*\\blike\\b`).test(plan));
      assert.equal(ofNames.length, searches, plans.join('\n'));
      assert.deepEqual(
        ofNames.filter((plan) => plan.includes('USING')),
        [],
      );
    }
    for (const [table, searches] of [
      // Tokens and grants that are not among the newest are found by the clients with the text.
      ['client', 6 + 2],
      ['account', 6],
      ['resource_server', 1],
      ['audit_event', 2],
    ] as const) {
      const reads = plans.filter((plan) => new RegExp(`^(?:SCAN|SEARCH) ${table}\\b`).test(plan));
      const others = /USING (?:PRIMARY KEY \((?:id|username)=\?\)|INDEX \w+_search_others\b)/;
      const index = /USING COVERING INDEX \w+_search\b/;
      assert.equal(reads.filter((plan) => index.test(plan)).length, searches, plans.join('\n'));
      assert.deepEqual(
        reads.filter((plan) => !index.test(plan) && !others.test(plan)),
        [],
      );
    }
  });

  it('of the administration read only the rows that they return, in the order of an index', async () => {
    await using database = await testDatabase();
    const before = { id, grantId: id, identityProvider: owner.identityProvider };
    const plans = await plansOf(database, async (db) => {
      const scan = accessTokenScan(db, countedSegments());
      for (const from of [{}, { before }]) {
        await scan({ of: 'all', limit: 10, ...from });
        await scan({ of: 'client', clientRecordId: 1, limit: 10, ...from });
        await scan({ of: 'owner', name: owner.name, limit: 10, ...from });
        await scan({ of: 'owner', ...owner, limit: 10, ...from });
        await scan({ of: 'subject', subject: 'x', limit: 10, ...from });
      }
      const clients = sqlClients(db, neverChanged, { now: () => 0 });
      for (const from of [{}, { after: 1 }]) {
        await clients.list({ limit: 10, ...from });
        await clients.list({ resourceServerId: 1, limit: 10, ...from });
        await clients.list({ owner, limit: 10, ...from });
      }
      await sqlResourceServers(db, neverChanged, { now: () => 0 }).countRecords(owner, 10);
      const events = sqlAuditEvents(db);
      for (const from of [{}, { before: id }]) {
        await events.list({ limit: 10, ...from });
        await events.list({ owner, limit: 10, ...from });
      }
      const issued = sqlIssuedTokens(db, () => {}, new SessionEnds(), noSegments);
      await issued.find(id);
      await issued.revokeGrants(owner, 0, 10);
      await issued.endSessions(owner, 0);
      const statistics = sqlStatistics(db, db, countedSegments());
      await statistics.countOf({ id: 1, tokensValidFrom: 0 }, 0, 10);
      await statistics.issued({ from: 0, until: 24 });
    });
    assert.ok(
      plans.some((plan) =>
        /^SEARCH g USING INDEX authorization_grant_owner .*\(identity_provider,id\)</.test(plan),
      ),
      plans.join('\n'),
    );
    assert.ok(
      plans.some((plan) =>
        /^SEARCH g USING INDEX authorization_grant_owner .*identity_provider=\? AND id</.test(plan),
      ),
      plans.join('\n'),
    );
    assert.ok(
      plans.some((plan) => /^SEARCH resource_server USING .*INDEX resource_server_owner_name/.test(plan)),
      plans.join('\n'),
    );
    assert.ok(
      plans.some((plan) => /^SEARCH issued_by_hour USING .*resource_server_id=\? AND epoch_hour>/.test(plan)),
      plans.join('\n'),
    );
    // The clients of each resource server of an owner are read from the position on, and no further than to
    // the last one of the page.
    assert.ok(
      plans.some((plan) =>
        /^SEARCH client USING INDEX client_resource_server \(resource_server_id=\? AND id>\?\) .* in \(select/.test(
          plan,
        ),
      ),
      plans.join('\n'),
    );
    assert.ok(
      plans.some((plan) => /^SEARCH resource_server USING INDEX resource_server_owner_name \(/.test(plan)),
    );
    assert.deepEqual(
      plans.filter((plan) => /^SCAN client\b/.test(plan)),
      [],
    );
    const firstOfAnOwner = /^USE TEMP B-TREE FOR ORDER BY \| .*"resource_server_id" in \(select/;
    // The newest tokens or events are read from the end of the table, up to the limit.
    const fromTheEnd = /^SCAN (?:token|audit_event|login_event) \| .* order by "[a-z."]*id" desc limit \?$/;
    // Tokens under one grant are few.
    const withinOneGrant = /^USE TEMP B-TREE FOR LAST TERM OF ORDER BY/;
    const counting = /^(?:SCAN newest|SCAN owner|USE TEMP B-TREE FOR GROUP BY|SCAN \(subquery)/;
    assert.deepEqual(
      wasteful(plans).filter(
        (plan) => ![fromTheEnd, withinOneGrant, firstOfAnOwner, counting].some((fine) => fine.test(plan)),
      ),
      [],
    );
  });

  it('of the lists of grants read no more than what they answer, in the order of an index', async () => {
    await using database = await testDatabase();
    const before = {
      type: 'grant',
      id,
      clientRecordId: 1,
      identityProvider: owner.identityProvider,
    } as const;
    const plans = await plansOf(database, async (db) => {
      const { scan, search, find } = sqlGrantList(db);
      for (const from of [{}, { before }]) {
        for (const range of [
          { of: 'all' },
          { of: 'client', clientRecordId: 1 },
          { of: 'resourceServer', resourceServerId: 1 },
          { of: 'clients', clientRecordIds: [1, 2], targets: [3] },
          { of: 'subject', subject: 's' },
          { of: 'owner', name: owner.name },
        ] as const) {
          await scan({ ...range, limit: 10, ...from }, 0);
          await search({ ...range, limit: 10, ...from }, async () => true, 0);
        }
      }
      await find(id, 0);
      await sqlEndedGrants(db).end([{ id, clientRecordId: 1, subject: 's' }], 0);
    });
    for (const [grants, consents] of [
      ['USING PRIMARY KEY \\(id<', 'consent_grant \\(grant_id<'],
      [
        'authorization_grant_client \\(client_record_id=\\? AND id<',
        'consent_client \\(client_record_id=\\? AND',
      ],
      ['authorization_grant_client \\(client_record_id=\\?\\)', 'consent_client \\(client_record_id=\\?\\)'],
      ['authorization_grant_subject \\(subject=\\? AND id<', 'consent_subject \\(subject=\\? AND grant_id<'],
      [
        'authorization_grant_revoked_subject \\(subject=\\? AND id<',
        'consent_subject \\(subject=\\? AND grant_id<',
      ],
      [
        'authorization_grant_revoked_owner \\(principal_name=\\? AND \\(identity_provider,id\\)<',
        'consent_owner \\(principal_name=\\? AND \\(identity_provider,grant_id\\)<',
      ],
      [
        'authorization_grant_owner \\(principal_name=\\? AND \\(identity_provider,id\\)<',
        'consent_owner \\(principal_name=\\? AND \\(identity_provider,grant_id\\)<',
      ],
    ] as const) {
      for (const expected of [`^SEARCH g .*${grants}`, `^SEARCH c .*${consents}`]) {
        assert.ok(
          plans.some((plan) => new RegExp(expected).test(plan)),
          `${expected}\n${plans.join('\n')}`,
        );
      }
    }
    assert.ok(
      plans.some((plan) =>
        /^SEARCH consent USING PRIMARY KEY \(client_record_id=\? AND identity_provider=\? AND principal_name=\?\)/.test(
          plan,
        ),
      ),
    );
    const byGrant =
      'SEARCH consent USING PRIMARY KEY (client_record_id=? AND identity_provider=? AND principal_name=?)';
    assert.deepEqual(
      plans.flatMap((plan) => /^(SEARCH consent .*) \| delete/.exec(plan)?.[1] ?? []),
      [byGrant, byGrant, 'SEARCH consent USING INDEX consent_subject (subject=?)'],
    );
    // Of two entries with one id, the grant is first. Reading the newest of all stops at the limit.
    const withinOneId = /^USE TEMP B-TREE FOR LAST TERM OF ORDER BY/;
    const fromTheEnd = /^SCAN (?:g|c USING INDEX consent_grant) \|/;
    const searchedFor = /^SCAN (?:\d+ )?CONSTANT ROWS? /;
    assert.deepEqual(
      wasteful(plans).filter(
        (plan) => ![withinOneId, fromTheEnd, searchedFor].some((fine) => fine.test(plan)),
      ),
      [],
    );
  });

  it('of what pages about clients and persons show are searched by an index', async () => {
    await using database = await testDatabase();
    const plans = await plansOf(database, async (db) => {
      const errors = sqlRequestErrors(db);
      const events = sqlAuditEvents(db);
      const sessions = sqlLoginSessions(db);
      for (const from of [{}, { before: id }]) {
        await errors.list({ since: 1, limit: 10, ...from });
        await errors.list({ since: 1, limit: 10, clientRecordId: 1, ...from });
        await errors.list({ since: 1, limit: 10, owner, ...from });
        await errors.find('request-1', 1);
        await events.list({ limit: 10, person: owner, ...from });
        await events.list({
          limit: 10,
          kind: 'changes',
          record: { recordType: 'client', recordId: '1' },
          ...from,
        });
        await sessions.list({ limit: 10, owner, ...from });
      }
      await events.lastLogins({ ...owner, names: [owner.name, 'finn'], since: 1 });
      const { issuedTo, busiest } = sqlStatistics(db, db, countedSegments());
      await issuedTo([1, 2], { from: 0, until: 24 });
      await busiest({ from: 0, until: 24 }, 10);
    });
    for (const search of [
      'request_error USING PRIMARY KEY (id>? AND id<?)',
      'request_error USING INDEX request_error_client (client_record_id=? AND id>? AND id<?)',
      'request_error USING INDEX request_error_request (request_id=?',
      'audit_event USING INDEX audit_event_owner (owner_name=? AND owner_identity_provider=? AND id<?)',
      'audit_event USING INDEX audit_event_actor (actor_name=? AND actor_identity_provider=? AND id<?)',
      'login_event USING INDEX login_event_owner (principal_name=? AND identity_provider=? AND id<?)',
      'login_event USING INDEX login_event_owner (principal_name=? AND identity_provider=? AND id>?)',
      'audit_event USING INDEX audit_event_record (record_id=? AND record_type=? AND id<?)',
      'login_session USING INDEX login_session_owner (identity_provider=? AND principal_name=? AND id<?)',
      'issued_to_client USING PRIMARY KEY (client_record_id=? AND epoch_hour<?)',
      'issued_to_client USING COVERING INDEX issued_to_client_hour (epoch_hour=?)',
    ]) {
      assert.ok(
        plans.some((plan) => plan.startsWith(`SEARCH ${search}`)),
        `${search}\n${plans.join('\n')}`,
      );
    }
    // Of each client of an owner at most 1,000 errors are stored.
    const ofOwner = /^USE TEMP B-TREE FOR ORDER BY \| .*"request_error".* in \(select/;
    const compound = /^SCAN (?:busiest|\(subquery)|^USE TEMP B-TREE FOR GROUP BY/;
    assert.deepEqual(
      wasteful(plans).filter((plan) => !ofOwner.test(plan) && !compound.test(plan)),
      [],
    );
  });

  it('of a lookup of a token without a grant read no grant', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const make = grantFactory();
    const grant = make.grant();
    const { accessToken: granted } = make.tokens(grant);
    const token = tokenFactory()();
    await store.accessTokens.insert(token);
    await store.grants.insert(grant, granted);
    await store.close();
    for (const page of leafPages(database.file, 'authorization_grant')) damagePage(database.file, page);
    const { accessTokens } = await database.openServer();
    await assert.rejects(accessTokens.find(granted.id), StoreDamagedError);
    assert.equal((await accessTokens.find(token.id))?.id, token.id);
  });
});
