import type { Columns, DatabaseValue } from '../../../hot/columns.ts';
import type { Command } from '../../../hot/command.ts';
import type { LookupCall } from '../../../hot/lookup.ts';
import type { ByKey, Operation } from '../../../hot/operation.ts';
import type { Statement } from '../../../hot/statement.ts';
import { statements } from '../../../hot/statements.ts';
import { shardNamedBy } from './shard-number.ts';

type Lookup = LookupCall['lookup'];

/** The number of the shard is one more parameter, the last one. */
const shardParameter = { shard: 'small' } as const;

/** Statements for an engine whose rows have the number of their shard, in the order of their numbers. */
export const shardedStatements: readonly Statement[] = Object.values(
  statements as unknown as Readonly<Record<string, Statement>>,
).map((statement) => (statement.routedBy.length === 0 ? statement : sharded(statement)));

function sharded(statement: Statement): Statement {
  const parameters: Columns = { ...statement.parameters, ...shardParameter };
  return {
    ...statement,
    operation: onShard(statement.operation),
    parameters,
    names: Object.keys(parameters),
    before: statement.before && onShard(statement.before),
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
  const shard = statement.isRoutedByFirst
    ? shardNamedBy(first, first.parametersAt(command, 1))
    : shardNamedBy(statement, values);
  return shard as number;
}

const originals = Object.values(statements) as unknown as readonly Statement[];

/**
 * The operation on rows that have the number of their shard in the column `shard`, which is a part of their key.
 *
 * @param shard SQL of the number
 */
export function onShard<Kind extends Operation>(operation: Kind, shard?: string): Kind;
export function onShard(operation: Operation, shard = ':shard'): Operation {
  const { table } = operation;
  if (operation.kind !== 'insert') {
    const where = (byKey: ByKey) => operation.where(onShards(shard, byKey, table));
    const { leaves } = operation as { readonly leaves?: readonly string[] };
    return { ...operation, where, ...(leaves && { leaves: [...leaves, 'shard'] }) };
  }
  const { row, onConflict, derived } = operation;
  return {
    ...operation,
    row: { shard, ...row },
    ...(onConflict && { onConflict: { ...onConflict, key: [...onConflict.key, 'shard'] } }),
    ...(derived && {
      derived: { ...derived, where: (byKey) => derived.where(onShards(shard, byKey, derived.table)) },
    }),
  };
}

/** Finds each row on its shard. */
function onShards(shard: string, byKey: ByKey, itself?: string): ByKey {
  return (condition, table = itself) => byKey(`${condition} and ${table}.shard = ${shard}`, table);
}

export function shardedLookup(lookup: Lookup): Lookup {
  const parameters: Columns = { ...lookup.parameters, ...shardParameter };
  return {
    ...lookup,
    parameters,
    names: Object.keys(parameters),
    sql: (byKey = (condition) => condition, write) => lookup.sql(onShards(':shard', byKey), write),
  };
}

/** The key, and the number of the shard. */
export function shardedKey({ lookup, parameters }: LookupCall): DatabaseValue[] {
  return [...parameters, shardNamedBy(lookup, parameters) as number];
}
