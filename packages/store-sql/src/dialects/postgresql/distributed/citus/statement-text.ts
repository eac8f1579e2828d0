import type { Statement } from '../../../../hot/statement.ts';
import { inRows, rowsOf, typeOf } from '../../hot/form-text.ts';

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
  const values = valuesPattern.exec(statement.sql);
  // A new row that depends on a stored one is selected, because Citus takes no subquery in VALUES.
  if (values !== null && !values[0].includes('(select ')) return insertText(statement, values[0]);
  const before =
    statement.before && bound(statement.names, inRows(statement.before.sql, rows(statement)).sql);
  const sql = bound(statement.names, inRows(selected(statement.sql), rows(statement)).sql);
  return { kind: 'arrays', sql: outcomes(statement, sql), before };
}

const valuesPattern = /\{values (?:[^{}]|\{[^{}]*\})*\}/;

function rows(statement: Statement): string {
  return rowsOf(statement, 1);
}

/** Binds each table that has a condition on its shard to the placement. */
export function bound(names: readonly string[], sql: string): string {
  const shards = `$${names.indexOf('shard') + 1}::int2[]`;
  return sql.replaceAll(
    /(\w+)\.shard = v\.p_shard/g,
    (condition, table: string) => `${condition} and ${table}.shard = any(${shards})`,
  );
}

function outcomes({ decides, returnsNumber }: Statement, sql: string): string {
  if (!decides) return sql;
  if (sql.startsWith('select 1 ')) return sql.replace(/^select 1/, 'select v.ordinal, 1');
  if (returnsNumber) return sql.replace(/\breturning\b/, 'returning v.ordinal,');
  return `${sql} returning v.ordinal, 1`;
}

/** An insert with `(select a from {decided t} where b)` among its values becomes one that selects from `t`. */
function selected(sql: string): string {
  return sql.replace(
    /\{values :shard, (.*)\(select (.*?) from \{decided (\w+)\} where (.*?)\)\}/s,
    (_, before: string, value: string, table: string, condition: string) =>
      `{values ${table}.shard, ${before}${value}} cross join ${table} where ${condition}`,
  );
}

function insertText({ sql, parameters, names, key, decides }: Statement, values: string): StatementText {
  const list = values.slice('{values '.length, -1);
  const kinds = Object.values(parameters);
  const row = (first: number) =>
    `(${list.replaceAll(/(?<!:):(\w+)/g, (_, name: string) => {
      const index = names.indexOf(name);
      return `$${first + index}::${typeOf(kinds[index] as (typeof kinds)[number])}`;
    })})`;
  const end = decides ? ` returning ${key.join(', ')}` : '';
  return {
    kind: 'values',
    sql: (count) => {
      const inserted = Array.from({ length: count }, (_, index) => row(1 + index * names.length));
      return `${sql.replace(values, `values ${inserted.join(', ')}`)}${end}`;
    },
  };
}
