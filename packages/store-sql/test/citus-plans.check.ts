import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { databaseFor, dropDatabases } from '@watchword/server-testkit/servers/engine';
import { query } from '@watchword/testkit/postgresql';
import { statementText } from '../src/dialects/postgresql/distributed/citus/statement-text.ts';
import { shardedStatements } from '../src/dialects/postgresql/distributed/sharded.ts';
import type { ColumnKind, Columns } from '../src/hot/columns.ts';
import { statements } from '../src/hot/statements.ts';
import { recordedLookups } from './support/recorded-lookups.ts';

const names = Object.keys(statements);
const rows = 3;
const file = 'citus-plans';

describe('plans of hot statements on Citus', () => {
  let database: string;
  /** Shards of one placement. */
  let shards: number[];

  before(async () => {
    await copyMigrated(file, 'postgresql');
    database = await databaseFor(file, 'postgresql');
    const found = await query(
      database,
      `select s.shard from generate_series(0, 4095) as s (shard)
        where get_shard_id_for_distribution_column('authorization_grant', s.shard)
          = get_shard_id_for_distribution_column('authorization_grant', 0) limit ${rows}`,
    );
    shards = found.map(({ shard }) => Number(shard));
  });
  after(() => dropDatabases(file));

  const explained = async (sql: string, values: readonly unknown[]): Promise<string[]> => {
    const plan = await query(database, `explain ${sql}`, values);
    return plan.map((line) => String(line['QUERY PLAN']).trim());
  };
  const assertOneTask = (plan: readonly string[]) => {
    assert.deepEqual(
      plan.filter((line) => /Task Count|Subplan|INSERT \.\.\. SELECT/.test(line)),
      ['Task Count: 1'],
      plan.join('\n'),
    );
  };

  for (const statement of shardedStatements) {
    const { number, parameters } = statement;
    if (!('shard' in parameters)) continue;
    it(`${names[number]} is one task`, async () => {
      const text = statementText(statement);
      if (text.kind === 'values') {
        const values = shards.flatMap((shard) => valuesOf(parameters, shard));
        assertOneTask(await explained(text.sql(rows), values));
        return;
      }
      const values = arraysOf(parameters, shards);
      assertOneTask(await explained(text.sql, values));
      if (text.before !== undefined) assertOneTask(await explained(text.before, values));
    });
  }

  it('each lookup is one task, for one key and for several', async () => {
    for (const { parameters, one, many } of await recordedLookups()) {
      assertOneTask(await explained(one, valuesOf(parameters, shards[0] as number)));
      assertOneTask(await explained(many, arraysOf(parameters, shards)));
    }
  });
});

function arraysOf(parameters: Columns, shards: readonly number[]): unknown[][] {
  const rowValues = shards.map((shard) => valuesOf(parameters, shard));
  return Object.keys(parameters).map((_, index) => rowValues.map((row) => row[index]));
}

function valuesOf(parameters: Columns, shard: number): unknown[] {
  return Object.values(parameters).map((kind) => sampleOf(kind, shard));
}

function sampleOf(kind: ColumnKind, shard: number): unknown {
  switch (kind) {
    case 'small':
      return shard;
    case 'id':
    case 'id?':
    case 'bytes':
      return Buffer.from(`019b000000007${shard.toString(16).padStart(3, '0')}8000000000000000`, 'hex');
    case 'text':
    case 'text?':
      return 'text';
    default:
      return 1;
  }
}
