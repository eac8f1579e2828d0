import { parameterLister, rowReader } from './column-functions.ts';
import type { ColumnKind, Columns, DatabaseValue, Named } from './columns.ts';
import { type SqlText, sqlText } from './sql-text.ts';

/** A read of one row by its key. */
export interface Lookup<By extends Columns, Found extends Columns> extends SqlText {
  readonly parameters: By;
  readonly found: Found;
  /** The parts of the key that name the shard of the row: an id, or else several values. */
  readonly shardBy: readonly string[];
  /** The text with each column of the row written in another way. */
  withColumns(write: (column: string, kind: ColumnKind) => string): SqlText;
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
  readonly expressions?: Readonly<Record<string, string>>;
  /** Default: `id`. */
  readonly shardBy?: readonly (keyof By & string)[];
}

/**
 * @param found the columns of the row
 * @param from follows `from`; the parameters are written `:name`, and the table whose columns are found is called `t`
 */
export function lookup<By extends Columns, Found extends Columns>(
  by: By,
  found: Found,
  from: string,
  { expressions = {}, shardBy = ['id'] as never }: LookupOptions<By> = {},
): Lookup<By, Found> {
  const withColumns: Lookup<By, Found>['withColumns'] = (write) => {
    const columns = Object.entries(found).map(([name, kind]) =>
      write(expressions[name] ?? `t.${name}`, kind),
    );
    return sqlText(by, `select ${columns.join(', ')} from ${from}`);
  };
  return {
    ...withColumns((column) => column),
    withColumns,
    parameters: by,
    found,
    shardBy,
    parametersOf: parameterLister(by),
    toRow: rowReader(found),
  };
}
