import type { Columns } from './columns.ts';
import { withoutShards } from './shard-marks.ts';

/**
 * Text of SQL whose parameters are written `:name`, and the parameters in their order. It is about one row. Marks in braces are the
 * places that differ in a database that runs it for several rows at once ({@link Marks}).
 */
export interface SqlText {
  readonly sql: string;
  /** The same with the marks of `shard-marks.ts`, for a database with shards. */
  readonly marked: string;
  readonly names: readonly string[];
}

/** What a dialect writes in the place of each mark. */
export interface Marks {
  /** `{values :a, :b}`: the values of a new row. */
  values(list: string): string;
  /** `{rows}`: where the parameters come from, if they are columns of rows. */
  rows(): string;
  /** `{returning a, b}`: columns of the changed row that later statements of the command read by `{decided}`. */
  returning(columns: string): string;
  /** `{decided some_table}`: the row as the deciding statement of the command has left it. */
  decided(table: string): string;
  /** `{lock}`: ends a subquery whose row must stay as it is until the commit. */
  lock(): string;
}

const oneRow: Marks = {
  values: (list) => `values (${list})`,
  rows: () => '',
  returning: () => '',
  decided: (table) => table,
  lock: () => '',
};

export function sqlText(parameters: Columns, sql: string): SqlText {
  return { sql: withoutShards(sql), marked: sql, names: Object.keys(parameters) };
}

/** Replaces the marks, inner ones first. Default: the form for one row, in a database that has one writer at a time. */
export function withMarks(sql: string, marks: Marks = oneRow): string {
  const replaced = sql.replaceAll(/\{(\w+) ?([^{}]*)\}/g, (_, name: keyof Marks, argument: string) =>
    marks[name](argument),
  );
  return replaced === sql ? sql : withMarks(replaced, marks);
}

/** @param placeholder how a dialect writes the parameter with this number, counted from 1 */
export function withPlaceholders(
  { sql, names }: Pick<SqlText, 'sql' | 'names'>,
  placeholder: (position: number) => string,
): string {
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
  return `insert into ${table} {columns ${listOf(columns, constants)}} {values ${valuesOf(columns, constants)}}`;
}

function listOf(columns: Columns, constants: Readonly<Record<string, string>>): string {
  return [...Object.keys(columns), ...Object.keys(constants)].join(', ');
}

function valuesOf(columns: Columns, constants: Readonly<Record<string, string>>): string {
  return [...Object.keys(columns).map((name) => `:${name}`), ...Object.values(constants)].join(', ');
}
