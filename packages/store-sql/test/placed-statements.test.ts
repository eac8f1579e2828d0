import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { statementText } from '../src/dialects/postgresql/distributed/citus/statement-text.ts';
import { shardedStatements } from '../src/dialects/postgresql/distributed/sharded.ts';
import { statements } from '../src/hot/statements.ts';
import { distributedTables, placementFaults } from './support/placement-rule.ts';
import { recordedLookups } from './support/recorded-lookups.ts';

const names = Object.keys(statements);

/** What runs on tables that are not distributed. */
const withoutShards = ['proveWritable'];

describe('statements of hot work on a database with shards', () => {
  it('are bound to one placement in each table, and use nothing that such databases lack', () => {
    const texts = shardedStatements.flatMap((statement) => {
      const name = names[statement.number] ?? '';
      if (withoutShards.includes(name)) return [];
      const text = statementText(statement);
      if (text.kind === 'values') return [1, 2, 64].map((rows) => [name, text.sql(rows)] as const);
      return [text.sql, text.before].flatMap((sql) => (sql === undefined ? [] : [[name, sql] as const]));
    });
    assert.ok(texts.length > names.length);
    assert.deepEqual(faultsOf(texts), []);
  });

  it('are all bound by a shard, except those of tables without shards', () => {
    const unbound = shardedStatements.filter(({ names: parameters }) => !parameters.includes('shard'));
    assert.deepEqual(
      unbound.map(({ number }) => names[number]),
      withoutShards,
    );
  });
});

describe('lookups on a database with shards', () => {
  it('are bound to one placement in each table, for one key and for several', async () => {
    const lookups = await recordedLookups();
    const texts = lookups.flatMap(({ name, one, many }) => [one, many].map((sql) => [name, sql] as const));
    const read = new Set(texts.flatMap(([, sql]) => [...sql.matchAll(/from (\w+) as t/g)].map(([, t]) => t)));
    const unread = [...distributedTables].filter((table) => !read.has(table));
    // Events are only listed.
    assert.deepEqual(unread, ['login_event']);
    assert.deepEqual(faultsOf(texts), []);
  });
});

describe('the guide of scale', () => {
  it('names the distributed tables', async () => {
    const guide = await readFile(new URL('../../../docs/scale.md', import.meta.url), 'utf8');
    const named = [...guide.matchAll(/create_distributed_table\('(\w+)', 'shard'/g)].map(
      ([, table]) => table,
    );
    assert.deepEqual(named.toSorted(), [...distributedTables]);
  });
});

describe('the rule of placements', () => {
  for (const [fault, sql] of [
    ['does not bind t to its placement', 'select t.scopes from access_token as t where t.id = $1'],
    [
      'does not bind g to its placement',
      'select 1 from access_token as t join authorization_grant as g on g.id = t.grant_id where t.id = $1 and t.shard = $2',
    ],
    [
      'binds its tables by several parameters',
      'select 1 from access_token as t join refresh_token as r on r.shard = any($1) where t.shard = any($2)',
    ],
    [
      'inserts rows that are not read on the placement',
      'insert into login_event (shard, id) select v.p_shard, v.p_id from unnest($1::int2[], $2::bytea[]) as v (p_shard, p_id)',
    ],
    ['inserts into login_event without a shard', 'insert into login_event (id) values ($1)'],
    [
      'relies on a unique key over all shards',
      'insert into consent (shard, id) values ($1, $2) on conflict (id) do nothing',
    ],
    ['reads client, which has no shards', 'select 1 from client where id = $1'],
    [
      'relies on SKIP LOCKED',
      'select 1 from access_token where access_token.shard = $1 for update skip locked',
    ],
    ['takes an advisory lock', 'select pg_advisory_xact_lock(1)'],
  ] as const) {
    it(`rejects a statement that ${fault}`, () => {
      assert.deepEqual(placementFaults(sql), [fault]);
    });
  }
});

function faultsOf(texts: readonly (readonly [name: string, sql: string])[]): string[] {
  return texts.flatMap(([name, sql]) => placementFaults(sql).map((fault) => `${name} ${fault}: ${sql}`));
}
