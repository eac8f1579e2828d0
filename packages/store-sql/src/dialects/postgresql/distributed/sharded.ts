import type { Columns, DatabaseValue } from '../../../hot/columns.ts';
import type { Command } from '../../../hot/command.ts';
import type { LookupCall } from '../../../hot/lookup.ts';
import { withShards } from '../../../hot/shard-marks.ts';
import { shardNamedBy } from '../../../hot/shard-number.ts';
import type { SqlText } from '../../../hot/sql-text.ts';
import type { Statement } from '../../../hot/statement.ts';
import { statements } from '../../../hot/statements.ts';

type Lookup = LookupCall['lookup'];

/** The number of the shard is one more parameter, the last one. */
export const shardParameter = { shard: 'shard' } as const;

/** Statements for an engine whose rows have the number of their shard, in the order of their numbers. */
export const shardedStatements: readonly Statement[] = Object.values(
  statements as unknown as Readonly<Record<string, Statement>>,
).map((statement) => (statement.shardBy.length === 0 ? statement : sharded(statement)));

function sharded(statement: Statement): Statement {
  const parameters: Columns = { ...statement.parameters, ...shardParameter };
  return {
    ...statement,
    ...shardedText(statement, parameters),
    parameters,
    before: statement.before && shardedText(statement.before, parameters),
    parametersAt(command, position) {
      const values = statement.parametersAt(command, position);
      return [...values, shardOfStatement(statement, command, values)];
    },
  };
}

function shardOfStatement(
  statement: Statement,
  command: Readonly<Command>,
  values: readonly DatabaseValue[],
): number {
  const first = originals[command[0] as number] as Statement;
  const shard = statement.followsShard
    ? shardNamedBy(first, first.parametersAt(command, 1))
    : shardNamedBy(statement, values);
  return shard as number;
}

const originals = Object.values(statements) as unknown as readonly Statement[];

export function shardedLookup(lookup: Lookup): Lookup {
  const parameters: Columns = { ...lookup.parameters, ...shardParameter };
  return { ...lookup, ...shardedText(lookup, parameters), parameters };
}

/** The key, and the number of the shard. */
export function shardedKey({ lookup, parameters }: LookupCall): DatabaseValue[] {
  return [...parameters, shardNamedBy(lookup, parameters) as number];
}

function shardedText({ marked }: SqlText, parameters: Columns): SqlText {
  return { sql: withShards(marked, ':shard'), marked, names: Object.keys(parameters) };
}
