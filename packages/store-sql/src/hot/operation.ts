import type { Columns } from './columns.ts';

/** What a statement does to the rows of its table. Parameters are written `:name`. Each dialect makes its own text of it. */
export type Operation = Insert | Update | Delete | Hold;

/**
 * A condition that is true for the row with a key, as a dialect writes it.
 *
 * @param condition names the row by its key
 * @param table name or alias of the table in the text; default: the table of the operation
 */
export type ByKey = (condition: string, table?: string) => string;

/** The end of a text, after `where`. */
type Where = (byKey: ByKey) => string;

export interface Insert {
  readonly kind: 'insert';
  readonly table: string;
  /** SQL expressions by column. */
  readonly row: Readonly<Record<string, string>>;
  /** What happens if a row has the key already. */
  readonly onConflict?: { readonly key: readonly string[]; readonly action: string };
  /** One more column. Its value comes from a row as the deciding statement of the command has left it. */
  readonly derived?: {
    readonly column: string;
    readonly expression: string;
    readonly table: string;
    readonly where: Where;
  };
}

export interface Update {
  readonly kind: 'update';
  readonly table: string;
  readonly set: string;
  readonly where: Where;
  /** A number, of which the caller gets the value. */
  readonly returns?: string;
  /** Columns of the changed row that later statements of the command read. */
  readonly leaves?: readonly string[];
}

export interface Delete {
  readonly kind: 'delete';
  readonly table: string;
  readonly where: Where;
}

/** Finds a row, which stays as it is until the commit. */
export interface Hold {
  readonly kind: 'hold';
  readonly table: string;
  readonly where: Where;
  /** In a database with simultaneous writers. */
  readonly lock: string;
}

/** @param constants SQL expressions of further columns */
export function insert(
  table: string,
  columns: Columns,
  {
    constants = {},
    ...rest
  }: Pick<Insert, 'onConflict' | 'derived'> & { readonly constants?: Insert['row'] } = {},
): Insert {
  const values = Object.fromEntries(Object.keys(columns).map((name) => [name, `:${name}`]));
  return { kind: 'insert', table, row: { ...values, ...constants }, ...rest };
}

export function update(
  table: string,
  set: string,
  where: Where,
  more: Pick<Update, 'returns' | 'leaves'> = {},
): Update {
  return { kind: 'update', table, set, where, ...more };
}

/** The text for one row, in a database that has one writer at a time. */
export function sqlOf(operation: Operation): string {
  const { kind, table } = operation;
  switch (kind) {
    case 'insert':
      return insertSql(operation, (values) => `values (${values})`, table);
    case 'update': {
      const returning = operation.returns === undefined ? '' : ` returning ${operation.returns}`;
      return `update ${table} set ${operation.set} where ${operation.where(asItIs)}${returning}`;
    }
    case 'delete':
      return `delete from ${table} where ${operation.where(asItIs)}`;
    case 'hold':
      return `select 1 from ${table} where ${operation.where(asItIs)}`;
  }
}

/** Where no text says more than the key. */
export const asItIs: ByKey = (condition) => condition;

/**
 * @param from the values of the new row, or of many
 * @param left the table that has the row of `derived` as the deciding statement has left it
 */
export function insertSql(
  { table, row, onConflict, derived }: Insert,
  from: (values: string) => string,
  left = derived?.table,
): string {
  const columns = [...Object.keys(row), ...(derived === undefined ? [] : [derived.column])];
  const values = Object.values(row);
  if (derived !== undefined) {
    values.push(`(select ${derived.expression} from ${left} where ${derived.where(asItIs)})`);
  }
  const conflict = onConflict && ` on conflict (${onConflict.key.join(', ')}) ${onConflict.action}`;
  return `insert into ${table} (${columns.join(', ')}) ${from(values.join(', '))}${conflict ?? ''}`;
}

/** @param placeholder how a dialect writes the parameter with this number, counted from 1 */
export function withPlaceholders(
  { sql, names }: { readonly sql: string; readonly names: readonly string[] },
  placeholder: (position: number) => string,
): string {
  return sql.replaceAll(parameterPattern, (_, name: string) => placeholder(positionOf(name, names)));
}

// Two colons are a cast.
export const parameterPattern = /(?<!:):(\w+)/g;

function positionOf(name: string, names: readonly string[]): number {
  const index = names.indexOf(name);
  if (index === -1) throw new Error(`the statement has no parameter ${name}`);
  return index + 1;
}
