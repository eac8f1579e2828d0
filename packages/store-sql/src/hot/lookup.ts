import { parameterLister, rowReader } from './column-functions.ts';
import type { ColumnKind, Columns, DatabaseValue, Named } from './columns.ts';
import { asItIs, type ByKey } from './operation.ts';

/** A read of one row by its key. */
export interface Lookup<By extends Columns, Found extends Columns> {
  readonly parameters: By;
  /** The names of the parameters, in their order. */
  readonly names: readonly string[];
  readonly found: Found;
  /** The parts of the key that route it, in a database that distributes rows: an id, or else several values. */
  readonly routedBy: readonly string[];
  /** @param write how each column of the row is written; default: as it is */
  sql(byKey?: ByKey, write?: (column: string, kind: ColumnKind) => string): string;
  /** The key, as values for a database. */
  parametersOf(key: Named<By>): DatabaseValue[];
  /** Names the values of the row, which a database returns in the order of the columns. */
  toRow(values: readonly DatabaseValue[]): Named<Found>;
}

/** A lookup with its key, as values for a database. */
export interface LookupCall {
  readonly lookup: Lookup<Columns, Columns>;
  readonly parameters: readonly DatabaseValue[];
}

interface LookupOptions<By extends Columns> {
  /** Of the columns that `t` does not have. */
  readonly expressions?: Readonly<Record<string, string | ((byKey: ByKey) => string)>>;
  /** Default: `id`. */
  readonly routedBy?: readonly (keyof By & string)[];
}

/**
 * @param found the columns of the row
 * @param from follows `from`; the parameters are written `:name`, and the table whose columns are found is called `t`
 */
export function lookup<By extends Columns, Found extends Columns>(
  by: By,
  found: Found,
  from: (byKey: ByKey) => string,
  { expressions = {}, routedBy = ['id'] as never }: LookupOptions<By> = {},
): Lookup<By, Found> {
  return {
    parameters: by,
    names: Object.keys(by),
    found,
    routedBy,
    sql(byKey = asItIs, write = (column) => column) {
      const columns = Object.entries(found).map(([name, kind]) => {
        const expression = expressions[name] ?? `t.${name}`;
        return write(typeof expression === 'string' ? expression : expression(byKey), kind);
      });
      return `select ${columns.join(', ')} from ${from(byKey)}`;
    },
    parametersOf: parameterLister(by),
    toRow: rowReader(found),
  };
}
