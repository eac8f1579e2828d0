import type { ColumnKind } from '../../../../hot/columns.ts';
import { type ByKey, type Insert, insertSql, withPlaceholders } from '../../../../hot/operation.ts';
import type { Statement } from '../../../../hot/statement.ts';
import { asColumns, inRows, rowsOf, typeOf } from '../../hot/form-text.ts';

/**
 * The SQL of a statement for rows of one placement. Citus sends it to the worker as it is if each table in it is bound to that
 * placement by values: `any($n)` on the numbers of the shards.
 */
export type StatementText =
  /** Each parameter is an array with a value of each row. A statement that decides returns the positions of its rows, counted from 1. */
  | { readonly kind: 'arrays'; readonly sql: string; readonly before: string | undefined }
  /** The parameters are those of all rows, one after the other. A statement that decides returns the keys of the rows that it inserts. */
  | { readonly kind: 'values'; sql(rows: number): string };

export function statementText(statement: Statement): StatementText {
  const { operation, before, decides } = statement;
  if (operation.kind === 'insert' && operation.derived === undefined) return insertText(statement, operation);
  const rows = rowsOf(statement, 1);
  const byKey = bound(statement.names);
  return {
    kind: 'arrays',
    sql:
      operation.kind === 'insert'
        ? selectedInsert(operation, rows, byKey)
        : inRows(operation, rows, decides ? 'ordinal, outcome' : undefined, byKey),
    before: before && inRows(before, rows, undefined, byKey),
  };
}

/** Binds each table that is found on its shard to the placement. */
export function bound(names: readonly string[]): ByKey {
  const shards = `$${names.indexOf('shard') + 1}::int2[]`;
  return (condition, table) => `${condition} and ${table}.shard = any(${shards})`;
}

/** A new row that depends on a stored one is selected with it, because Citus takes no subquery in VALUES. */
function selectedInsert({ derived, ...operation }: Insert, rows: string, byKey: ByKey): string {
  const { column = '', expression = '', table = '', where = () => '' } = derived ?? {};
  const row = { ...operation.row, shard: `${table}.shard`, [column]: expression };
  return asColumns(
    insertSql(
      { ...operation, row },
      (values) => `select ${values} from ${rows} cross join ${table} where ${where(byKey)}`,
    ),
  );
}

function insertText({ parameters, names, key, decides }: Statement, operation: Insert): StatementText {
  const kinds = Object.values(parameters);
  const row = (values: string, first: number) =>
    withPlaceholders({ sql: `(${values})`, names }, (position) => {
      return `$${first + position - 1}::${typeOf(kinds[position - 1] as ColumnKind)}`;
    });
  const end = decides ? ` returning ${key.join(', ')}` : '';
  const valuesOf = (values: string, count: number) =>
    Array.from({ length: count }, (_, index) => row(values, 1 + index * names.length)).join(', ');
  return {
    kind: 'values',
    sql: (count) => `${insertSql(operation, (values) => `values ${valuesOf(values, count)}`)}${end}`,
  };
}
