import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { statementText } from '../../src/dialects/postgresql/distributed/citus/statement-text.ts';
import { shardNumber } from '../../src/dialects/postgresql/distributed/shard-number.ts';
import { shardedStatements } from '../../src/dialects/postgresql/distributed/sharded.ts';
import { ShardedQueryCompiler } from '../../src/dialects/postgresql/distributed/sharded-compiler.ts';
import { selectTokens } from '../../src/grants/access-token-rows.ts';
import { statements } from '../../src/hot/statements.ts';
import { revokeUnusedGrants } from '../../src/hot/unused-grants.ts';
import { operationSql, placedByKey, readFirst } from '../../src/queries/placing.ts';
import type { Schema } from '../../src/schema/schema.ts';
import { distributedTables, placementFaults } from '../support/placement-rule.ts';
import { recordedLookups } from '../support/recorded-lookups.ts';

const names = Object.keys(statements);

/** What runs on tables that are not distributed, or not on such databases. */
const withoutShards = ['insertOneTime', 'proveWritable'];

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

  it('return the position and the outcome of each row, and nothing else', () => {
    for (const statement of shardedStatements) {
      const text = statementText(statement);
      if (text.kind === 'values' || !statement.decides || statement.holds) continue;
      assert.match(text.sql, / returning v\.ordinal, (?:1|case\b.* end) as outcome$/s);
    }
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

describe('queries on a database with shards', () => {
  const key = 'a key';
  const compiled = (createQueryCompiler: () => PostgresQueryCompiler) => {
    const db = new Kysely<Schema>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (introspected) => new PostgresIntrospector(introspected),
        createQueryCompiler,
      },
    });
    const { insertGrant, proveWritable, revokeGrant } = statements;
    const operations = [
      operationSql(insertGrant.operation, {}, [Buffer.from('019b00000000712380000000000000000', 'hex')]),
      operationSql(revokeGrant.operation, { id: 1, now: 2 }, [key]),
      operationSql(proveWritable.operation, { filler: '' }, []),
      operationSql(
        revokeUnusedGrants(() => 'id in (:ids)'),
        { ids: [1, 2] },
      ),
    ];
    return [
      selectTokens(db).compile(),
      db
        .selectFrom('session_client')
        .where(placedByKey('session_client', [key]))
        .selectAll()
        .compile(),
      db.selectFrom('consent').select('subject').modifyEnd(readFirst).compile(),
      ...operations.map((operation) => operation.compile(db)),
    ].map(({ sql, parameters }) => ({ sql: sql.replaceAll(/\s+/g, ' '), parameters }));
  };

  it('name the shard of each row that they find by a key, and of each that they insert', () => {
    const sharded = compiled(() => new ShardedQueryCompiler());
    for (const [index, expected] of [
      /on "g"\."id" = "token"\."grant_id" and g\.shard = token\.shard and/,
      new RegExp(`where session_client\\.shard = ${shardNumber([key])}`),
      /offset 0$/,
      /^insert into authorization_grant \(shard, id, .*\) values \(291, \$1, /,
      new RegExp(`where id = \\$2 and authorization_grant\\.shard = ${shardNumber([key])} and`),
      /^insert into write_proof \(filler, id\) values/,
      /where id in \(\$1, \$2\) .*t\.shard = authorization_grant\.shard .*r\.shard = authorization_grant\.shard/,
    ].entries()) {
      assert.match(sharded[index]?.sql ?? '', expected);
    }
  });

  it('have the same parameters as on any other database, whose text says nothing of shards', () => {
    const plain = compiled(() => new PostgresQueryCompiler());
    const sharded = compiled(() => new ShardedQueryCompiler());
    assert.deepEqual(
      plain.map(({ parameters }) => parameters),
      sharded.map(({ parameters }) => parameters),
    );
    assert.doesNotMatch(plain.map(({ sql }) => sql).join(), /shard|offset/);
  });
});

describe('the guide of scale', () => {
  it('names the distributed tables', async () => {
    const guide = await readFile(new URL('../../../../docs/scale.md', import.meta.url), 'utf8');
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
