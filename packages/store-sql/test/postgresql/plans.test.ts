import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { query, withConnection } from '@watchword/testkit/postgresql';
import { type CompiledQuery, Kysely, type LogEvent } from 'kysely';
import { hotAccessTokens } from '../../src/access-tokens.ts';
import { hotAuthorizationCodes } from '../../src/authorization-codes.ts';
import { hotConsentAnswers } from '../../src/consent-answers.ts';
import { parseUrl } from '../../src/dialects/postgresql/connection/url.ts';
import { postgresqlDialect } from '../../src/dialects/postgresql/dialect.ts';
import { CommandForms } from '../../src/dialects/postgresql/hot/command-form.ts';
import { formText } from '../../src/dialects/postgresql/hot/form-text.ts';
import { withFreshPlans } from '../../src/dialects/postgresql/hot/fresh-plans.ts';
import { lookupTexts } from '../../src/dialects/postgresql/hot/read.ts';
import { plansByKey, servingPools } from '../../src/dialects/postgresql/pools.ts';
import { sqlGrantList } from '../../src/grant-list.ts';
import type { HotAccess } from '../../src/hot/hot-access.ts';
import type { LookupCall } from '../../src/hot/lookup.ts';
import type { Statement } from '../../src/hot/statement.ts';
import { statements } from '../../src/hot/statements.ts';
import { hotLoginSessions } from '../../src/login-sessions.ts';
import { hotRefreshTokens } from '../../src/refresh-tokens.ts';
import { hotRevocations } from '../../src/revocations.ts';
import type { Schema } from '../../src/schema.ts';
import { noSegments } from '../../src/token-segments.ts';
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
  await hotRevocations(hot).isTokenRevoked(id);
  return seen.flatMap((lookup) => {
    const { one, many } = lookupTexts(lookup, 'name');
    return [one, many];
  });
}

/** Number of rows that the statement reads of tables. @param parameters in the place of `$1` and so on */
async function rowsRead(url: string, { sql, parameters }: CompiledQuery): Promise<number> {
  const [explained] = await query(url, `explain (analyze, format json) ${sql}`, parameters);
  assert.ok(explained !== undefined);
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

describe('the lists of PostgreSQL', () => {
  it('read grants and their tokens up to the limit, before and after statistics are collected', async () => {
    await using database = await postgresqlNodes();
    await fillGrants(database);
    const { other, hot } = servingPools({ url: parseUrl(database.url) }, {}, 'test');
    const statements: CompiledQuery[] = [];
    const log = ({ query: statement }: LogEvent) => void statements.push(statement);
    const { scan } = sqlGrantList(new Kysely<Schema>({ dialect: postgresqlDialect(other), log }));
    const before = {
      type: 'grant',
      id: '00000000-0000-0000-0000-000000001388',
      clientRecordId: 1,
      identityProvider: 'password',
    } as const;
    try {
      for (const isCollected of [false, true]) {
        if (isCollected) await database.sql('vacuum analyze');
        // Which clients have many grants is not known without statistics.
        const ofClient = isCollected ? [{ of: 'client', clientRecordId: 1 } as const] : [];
        for (const from of [{}, { before }]) {
          for (const range of [{ of: 'all' } as const, ...ofClient]) {
            statements.length = 0;
            assert.equal((await scan({ ...range, limit: 10, ...from }, 0)).length, 10);
            for (const statement of statements) {
              const read = await rowsRead(database.url, statement);
              assert.ok(read < 50, `${read} rows, ${JSON.stringify({ ...range, isCollected })}`);
            }
          }
        }
      }
    } finally {
      await Promise.all([other.close(), hot.close()]);
    }
  });
});

describe('the hot statements of PostgreSQL', () => {
  it('find rows by keys, before PostgreSQL has collected statistics', async () => {
    await using database = await postgresqlNodes();
    const flows = Array.from({ length: 1000 }, newFlow);
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
