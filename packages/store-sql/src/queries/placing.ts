import { type Kysely, type OperationNode, type RawBuilder, RawNode, sql } from 'kysely';
import type { Columns, DatabaseValue, Named } from '../hot/columns.ts';
import { commandOf } from '../hot/command.ts';
import { type Operation, parameterPattern, sqlOf } from '../hot/operation.ts';
import type { Statement } from '../hot/statement.ts';
import type { Schema } from '../schema/schema.ts';

/** What a part of a statement says about the places of its rows. Only a database that distributes rows reads it. */
export type Placing =
  /** Each row of one table is in the place of the row of the other with which it is joined. */
  | { readonly kind: 'together'; readonly tables: readonly [one: string, other: string] }
  /** The rows of the table are in the place that the key names. */
  | { readonly kind: 'by key'; readonly table: string; readonly key: readonly DatabaseValue[] }
  /** A subquery is read first, and its rows are sent to all places. */
  | { readonly kind: 'first' }
  | {
      readonly kind: 'operation';
      readonly operation: Operation;
      readonly values: Readonly<Record<string, unknown>>;
      /** The key that names the place of its row; `undefined` if it is the place of each row of its table. */
      readonly key: readonly DatabaseValue[] | undefined;
    };

/** A part of a statement, as a database gets it that distributes no rows. */
export interface PlacedNode extends RawNode {
  readonly placing: Placing;
}

/** Always true: a grant and all rows below it are in one place. */
export function together(one: string, other: string): RawBuilder<boolean> {
  return placed(sql`true`, { kind: 'together', tables: [one, other] });
}

/** Always true: the rows of the table are those of the key, and in its place. */
export function placedByKey(table: string, key: readonly DatabaseValue[]): RawBuilder<boolean> {
  return placed(sql`true`, { kind: 'by key', table, key });
}

/** The end of a subquery whose rows are joined with rows of other places. */
export const readFirst = placed(sql``, { kind: 'first' });

/** Runs a hot statement on a connection or in a transaction of Kysely. Resolves with the number of changed rows. */
export async function runStatement<Parameters extends Columns>(
  db: Kysely<Schema>,
  statement: Statement<Parameters>,
  named: Named<Parameters>,
): Promise<number> {
  const list = statement.parametersAt(commandOf(statement, named), 1);
  const values = Object.fromEntries(statement.names.map((name, index) => [name, list[index]]));
  const key = statement.routedBy.map((name) => values[name] ?? null);
  const result = await operationSql(statement.operation, values, key).execute(db);
  return Number(result.numAffectedRows ?? 0);
}

/** An operation of hot work, for Kysely. A list among its values becomes as many parameters as it has values. */
export function operationSql(
  operation: Operation,
  values: Readonly<Record<string, unknown>>,
  key?: readonly DatabaseValue[],
): RawBuilder<unknown> {
  return placed(boundSql(sqlOf(operation), values), { kind: 'operation', operation, values, key });
}

/** SQL whose parameters are written `:name`. */
export function boundSql(text: string, values: Readonly<Record<string, unknown>>): RawBuilder<unknown> {
  const parts = text.split(parameterPattern).map((part, index) => {
    if (index % 2 === 0) return sql.raw(part);
    const value = values[part];
    return Array.isArray(value) ? sql.join(value) : sql.val(value);
  });
  return sql.join(parts, sql``);
}

function placed<Value>(raw: RawBuilder<Value>, placing: Placing): RawBuilder<Value> {
  const node: PlacedNode = { ...RawNode.createWithChildren([raw.toOperationNode()]), placing };
  return sql<Value>`${{ toOperationNode: (): OperationNode => node }}`;
}
