import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { connect, withConnection } from '@watchword/testkit/postgresql';
import { type CompiledQuery, Kysely, type LogEvent } from 'kysely';
import type { Client } from 'pg';
import { parseUrl } from '../../src/dialects/postgresql/connection/url.ts';
import { postgresqlDialect } from '../../src/dialects/postgresql/dialect.ts';
import { CommandForms } from '../../src/dialects/postgresql/hot/command-form.ts';
import { formText } from '../../src/dialects/postgresql/hot/form-text.ts';
import { withFreshPlans } from '../../src/dialects/postgresql/hot/hot-work.ts';
import { lookupTexts } from '../../src/dialects/postgresql/hot/read.ts';
import { plansByKey, servingPools } from '../../src/dialects/postgresql/pools.ts';
import { hotAccessTokens } from '../../src/grants/access-tokens.ts';
import { hotAuthorizationCodes } from '../../src/grants/authorization-codes.ts';
import { hotConsentAnswers } from '../../src/grants/consents.ts';
import { accessTokenScan } from '../../src/grants/lists/access-token-scan.ts';
import { sqlGrantList } from '../../src/grants/lists/grant-list.ts';
import { hotRefreshTokens } from '../../src/grants/refresh-tokens.ts';
import { hotRevocations } from '../../src/grants/revocations.ts';
import { noSegments } from '../../src/grants/token-segments.ts';
import { sqlAuditEvents } from '../../src/history/audit-events.ts';
import type { HotAccess } from '../../src/hot/hot-access.ts';
import type { LookupCall } from '../../src/hot/lookup.ts';
import type { Statement } from '../../src/hot/statement.ts';
import { statements } from '../../src/hot/statements.ts';
import { openStore } from '../../src/index.ts';
import { hotLoginSessions } from '../../src/logins/login-sessions.ts';
import { SessionEnds } from '../../src/logins/session-ends.ts';
import { sqlAccounts } from '../../src/people/accounts.ts';
import { sqlClients } from '../../src/records/clients.ts';
import type { Schema } from '../../src/schema/schema.ts';
import { newFlow, tokenId } from '../support/hot-commands.ts';
import { type PostgresqlNodes, postgresqlNodes } from '../support/postgresql-node.ts';

/** The SQL of each statement by itself, and of a redemption and a rotation. */
function texts(): string[] {
  const { insertSuccessor, ...others } = statements;
  const { redeemCode, rotateRefreshToken, insertAccessToken, insertRefreshToken, useGrant } = others;
  const forms = [
    ...Object.values(others).map((statement) => [statement]),
    [redeemCode, insertAccessToken, insertRefreshToken, useGrant],
    [rotateRefreshToken, insertAccessToken, insertSuccessor, useGrant],
  ] as unknown as Statement[][];
  return forms.flatMap((form) => {
    const command = form.flatMap(({ number, names }) => [number, ...names.map(() => null)]);
    const { sql, before } = formText(new CommandForms().of(command) ?? assert.fail());
    return [sql, ...before.map((each) => each.sql)];
  });
}

/** The SQL of the lookups of requests, for one key and for many. */
async function lookups(): Promise<string[]> {
  const seen: LookupCall['lookup'][] = [];
  const hot: HotAccess = {
    hasShards: false,
    write: () => assert.fail(),
    async read(lookup) {
      seen.push(lookup as unknown as LookupCall['lookup']);
      return undefined;
    },
  };
  const id = tokenId();
  await hotAccessTokens(hot, noSegments).find(id);
  await hotAuthorizationCodes(hot, noSegments).find(id);
  await hotRefreshTokens(hot, noSegments).find(id);
  await hotLoginSessions(hot, async () => {}).find(id);
  await hotConsentAnswers(hot).isGiven(id);
  await hotRevocations(hot).findToken(id);
  return seen.flatMap((lookup) => {
    const { one, many } = lookupTexts(lookup, 'name');
    return [one, many];
  });
}

/** Number of rows that the statement reads of tables. @param parameters in the place of `$1` and so on */
async function rowsRead(client: Client, { sql, parameters }: CompiledQuery): Promise<number> {
  const { rows } = await client.query(`explain (analyze, format json) ${sql}`, [...parameters]);
  const [explained] = rows;
  const [{ Plan: plan }] = explained['QUERY PLAN'] as [{ readonly Plan: PlanNode }];
  return readBelow(plan);
}

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

function readBelow(node: PlanNode): number {
  const { 'Actual Rows': rows, 'Actual Loops': loops, 'Rows Removed by Filter': removed = 0 } = node;
  const own = node['Relation Name'] === undefined ? 0 : (rows + removed) * loops;
  return (node.Plans ?? []).reduce((sum, below) => sum + readBelow(below), own);
}

async function planOf(client: Client, { sql, parameters }: CompiledQuery): Promise<string> {
  const { rows } = await client.query(`explain ${sql}`, [...parameters]);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

const noChange = () => Promise.reject(new Error('nothing is changed here'));
const clock = { now: () => 0 };

const listed = 5000;

/** A grant with a token for each number. */
async function fillGrants({ sql }: PostgresqlNodes): Promise<void> {
  const numbers = `generate_series(1, ${listed}) as i`;
  const id = `decode(lpad(to_hex(i), 32, '0'), 'hex')`;
  await sql(`insert into authorization_grant (id, client_record_id, identity_provider, principal_name, principal, subject,
      authentication, scopes, creation_date, last_used, expires)
    select ${id}, 1, 'password', 'user' || i, '{}', 'subject ' || i, '{}', 'read', 1, 1, 0 from ${numbers}`);
  await sql(`insert into access_token (id, verifier_hash, client_record_id, scopes, expires, creation_date, grant_id, segment)
    select ${id}, '', 1, 'read', 0, 1, ${id}, 1 from ${numbers}`);
}

/** The client of all these grants is the first of them. */
async function fillClients({ sql }: PostgresqlNodes): Promise<void> {
  await sql(`insert into client (id, client_id, client_name, resource_server_id, scopes, skip_consent, is_trusted,
        tokens_valid_from, metadata, previous_secret_valid_until, creation_date, revision, search_revision, search_text)
    select i, 'client-' || i, '', 1, '', 0, 0, 0, repeat(md5(i::text), 20), 0, 1, 1, 1, 'client-' || i || chr(10) || chr(10)
    from generate_series(1, ${listed}) as i`);
}

/** Returns what resolves with the statements of a work, on a connection of a node. */
function recordedStatements(url: string) {
  const { other, hot } = servingPools({ url: parseUrl(url) }, {}, 'test');
  const statements: CompiledQuery[] = [];
  const log = ({ query: statement }: LogEvent) => void statements.push(statement);
  const db = new Kysely<Schema>({ dialect: postgresqlDialect(other), log });
  return {
    async of(work: (db: Kysely<Schema>) => Promise<unknown>): Promise<CompiledQuery[]> {
      await work(db);
      return statements.splice(0);
    },
    close: () => Promise.all([other.close(), hot.close()]),
  };
}

describe('the lists of PostgreSQL', () => {
  let database: PostgresqlNodes;
  let client: Client;
  let recorded: ReturnType<typeof recordedStatements>;
  before(async () => {
    database = await postgresqlNodes();
    client = await connect(database.url);
    recorded = recordedStatements(database.url);
    await fillGrants(database);
    await fillClients(database);
  });
  after(async () => {
    await recorded.close();
    await client.end();
    await database[Symbol.asyncDispose]();
  });

  // In this order: statistics stay.
  for (const isCollected of [false, true]) {
    const when = isCollected ? 'after statistics are collected' : 'before statistics are collected';

    it(`read grants and their tokens up to the limit, ${when}`, async () => {
      if (isCollected) await database.sql('vacuum analyze authorization_grant, access_token, client');
      const before = {
        type: 'grant',
        id: '00000000-0000-0000-0000-000000001000',
        clientRecordId: 1,
        identityProvider: 'password',
      } as const;
      // Which clients have many grants is not known without statistics.
      const ofClient = isCollected ? [{ of: 'client', clientRecordId: 1 } as const] : [];
      const statements = await recorded.of(async (db) => {
        for (const from of [{}, { before }]) {
          for (const range of [{ of: 'all' } as const, ...ofClient]) {
            const page = await sqlGrantList(db).scan({ ...range, limit: 10, ...from }, 0);
            assert.equal(page.length, 10);
          }
        }
      });
      for (const statement of statements) {
        const read = await rowsRead(client, statement);
        assert.ok(read < 50, `${read} rows, ${statement.sql}`);
      }
    });

    it(`look at one client for each token of a search, where a table of all that are found would be too large, ${when}`, async () => {
      const statements = await recorded.of(async (db) => {
        const found = await accessTokenScan(db, noSegments)({ of: 'all', mayContain: 'client', limit: 10 });
        assert.equal(found.length, 10);
      });
      // A hash table of the clients has 128 kB, which is less than these are.
      await client.query('set work_mem = 64');
      for (const statement of statements) {
        assert.doesNotMatch(await planOf(client, statement), /Materialize|hashed SubPlan/, statement.sql);
      }
      await client.query('reset work_mem');
    });

    if (isCollected) continue;
    it('have statistics after a purge', async () => {
      const unknown = `select relname as name from pg_class
        where relname in ('authorization_grant', 'access_token') and reltuples < 0`;
      assert.equal((await database.sql(unknown)).length, 2);
      const store = await openStore({ database: database.url, clock });
      await store.purge({ expiredBefore: 0, deletedBefore: 0, batchSize: 100 });
      await store.close();
      assert.deepEqual(await database.sql(unknown), []);
    });
  }

  it('read the texts of a search from an index', async () => {
    const numbers = 'generate_series(1, 2000) as i';
    await database.sql(`insert into account (username, id, display_name, role_names, group_names, admin_principal, disabled,
        creation_date, revision, search_revision, search_text)
      select 'user' || i, i, '', '[]', repeat(md5(i::text), 20), 0, 0, 1, 1, 1, 'user' || i from ${numbers}`);
    await database.sql(`insert into audit_event (id, occurred_at, event_action, source_address, record_type, record_id, record_name,
        state_after, actor_identity_provider, actor_name, owner_identity_provider, owner_name, search_text)
      select decode(lpad(to_hex(i), 32, '0'), 'hex'), 1, 'update', '', 'client', i, 'client-' || i, repeat(md5(i::text), 20), '', '', '', '', 'client-' || i
      from ${numbers}`);
    await database.sql('vacuum analyze account, audit_event');
    for (const [indexes, search] of [
      ['client_search', (db) => sqlClients(db, noChange, clock).list({ mayContain: 'nobody', limit: 10 })],
      [
        'account_search',
        (db) => sqlAccounts(db, new SessionEnds()).list({ mayContain: 'nobody', limit: 10 }),
      ],
      [
        'audit_event_search',
        (db) => sqlAuditEvents(db).list({ mayContain: 'nobody', limit: 10, kind: 'changes' }),
      ],
      [
        'client_search',
        (db) => accessTokenScan(db, noSegments)({ of: 'all', mayContain: 'nobody', limit: 10 }),
      ],
      ['client_search', (db) => sqlGrantList(db).scan({ of: 'all', mayContain: 'nobody', limit: 10 }, 0)],
    ] as const satisfies readonly (readonly [string, (db: Kysely<Schema>) => Promise<unknown[]>])[]) {
      const statements = await recorded.of(async (db) => assert.deepEqual(await search(db), []));
      let plan = '';
      for (const statement of statements) plan += `${await planOf(client, statement)}\n`;
      assert.match(plan, new RegExp(`Index Only Scan (?:Backward )?using ${indexes} `), plan);
      assert.doesNotMatch(plan, /Seq Scan on (?:client|account|audit_event)\b/, plan);
    }
  });
});

describe('the hot statements of PostgreSQL', () => {
  it('find rows by keys, before PostgreSQL has collected statistics', async () => {
    await using database = await postgresqlNodes();
    const flows = Array.from({ length: 200 }, newFlow);
    const node = database.node();
    await node.commit(flows.map(({ issue }) => issue));
    await node.commit(flows.map(({ redemption }) => redemption()));
    const sqls = [...texts(), ...(await lookups())];
    await withConnection(database.url, async (client) => {
      for (const [name, value] of Object.entries(plansByKey)) await client.query(`set ${name} = ${value}`);
      for (const sql of sqls) {
        const values = Array.from(new Set(sql.match(/\$\d+/g)), () => 'null');
        await client.query(`prepare planned as ${sql}`);
        const { rows } = await client.query(`explain execute planned (${values.join(', ')})`);
        await client.query('deallocate planned');
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        const scans = plan.match(/Seq Scan|Bitmap|Index (?:Only )?Scan/g)?.length ?? 0;
        assert.equal(plan.match(/Index Cond/g)?.length ?? 0, scans, `${sql}\n${plan}`);
      }
    });
  });

  it('are planned again every ten seconds of use', async () => {
    let now = 0;
    const sent: string[] = [];
    const session = {
      begin: () => [{ text: 'begin', values: [] }],
      async pipeline(queries: readonly { readonly text: string }[]) {
        sent.push(...queries.map(({ text }) => text));
        return [];
      },
    };
    const pool = withFreshPlans({ use: (work) => work(session) }, () => now);
    for (now of [0, 10_000, 10_001, 20_001, 20_002]) {
      await pool.use(({ pipeline }) => pipeline([{ text: 'read', values: [] }]));
    }
    assert.deepEqual(sent, ['read', 'read', 'discard plans', 'read', 'read', 'discard plans', 'read']);
  });
});
