import { type Kysely, type QueryResult, type RawBuilder, sql } from 'kysely';
import type { Columns, Named } from './hot/columns.ts';
import { commandOf } from './hot/command.ts';
import { withShardComments } from './hot/shard-marks.ts';
import { shardNamedBy } from './hot/shard-number.ts';
import { parameterPattern, withMarks } from './hot/sql-text.ts';
import type { Statement } from './hot/statement.ts';
import type { Schema } from './schema.ts';

/** Runs a hot statement on a connection or in a transaction of Kysely. Resolves with the number of changed rows. */
export async function runStatement<Parameters extends Columns>(
  db: Kysely<Schema>,
  statement: Statement<Parameters>,
  values: Named<Parameters>,
): Promise<number> {
  const list = statement.parametersAt(commandOf(statement, values), 1);
  const parameters = statement.names.map((name, index) => [name, list[index]]);
  const text = withShardComments(statement.marked, shardNamedBy(statement, list) ?? '');
  const result: QueryResult<unknown> = await rawSql(text, Object.fromEntries(parameters)).execute(db);
  return Number(result.numAffectedRows ?? 0);
}

/** SQL whose parameters are written `:name`, for Kysely. A list becomes as many parameters as it has values. */
export function rawSql(text: string, values: Readonly<Record<string, unknown>>): RawBuilder<unknown> {
  const parts = withMarks(text)
    .split(parameterPattern)
    .map((part, index) => {
      if (index % 2 === 0) return sql.raw(part);
      const value = values[part];
      return Array.isArray(value) ? sql.join(value) : sql.val(value);
    });
  return sql.join(parts, sql``);
}
