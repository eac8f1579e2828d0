import type { Columns } from './columns.ts';

/** Text of SQL whose parameters are written `:name`, and the parameters in their order. */
export interface SqlText {
  readonly sql: string;
  readonly names: readonly string[];
}

export function sqlText(parameters: Columns, sql: string): SqlText {
  return { sql, names: Object.keys(parameters) };
}

/** @param placeholder how a dialect writes the parameter with this number, counted from 1 */
export function withPlaceholders({ sql, names }: SqlText, placeholder: (position: number) => string): string {
  return sql.replaceAll(parameterPattern, (_, name: string) => placeholder(positionOf(name, names)));
}

export const parameterPattern = /:(\w+)/g;

function positionOf(name: string, names: readonly string[]): number {
  const index = names.indexOf(name);
  if (index === -1) throw new Error(`the statement has no parameter ${name}`);
  return index + 1;
}

/** @param constants SQL expressions of further columns */
export function insertSql(
  table: string,
  columns: Columns,
  constants: Readonly<Record<string, string>> = {},
): string {
  return `insert into ${listOf(table, columns, constants)} values (${valuesOf(columns, constants)})`;
}

/** @param condition SQL; no row is inserted unless it is true */
export function insertIfSql(
  table: string,
  columns: Columns,
  condition: string,
  constants: Readonly<Record<string, string>> = {},
): string {
  const list = listOf(table, columns, constants);
  return `insert into ${list} select ${valuesOf(columns, constants)} where ${condition}`;
}

function listOf(table: string, columns: Columns, constants: Readonly<Record<string, string>>): string {
  return `${table} (${[...Object.keys(columns), ...Object.keys(constants)].join(', ')})`;
}

function valuesOf(columns: Columns, constants: Readonly<Record<string, string>>): string {
  return [...Object.keys(columns).map((name) => `:${name}`), ...Object.values(constants)].join(', ');
}
