import type { Columns, DatabaseValue, Named } from './columns.ts';
import { fromDatabase, toParameter } from './columns.ts';
import { type SqlText, sqlText } from './sql-text.ts';

/** A read of one row by its key. */
export interface Lookup<By extends Columns = Columns, Found extends Columns = Columns> extends SqlText {
  readonly by: By;
  readonly found: Found;
}

/** A lookup with its key, as a database takes it. */
export interface LookupCall {
  readonly lookup: SqlText & { readonly found: Columns };
  readonly parameters: readonly DatabaseValue[];
}

/**
 * @param found the columns of the row
 * @param from follows `from`; the parameters are written `:name`, and the table whose columns are found is called `t`
 * @param expressions of the columns that are not those of `t`
 */
export function lookup<By extends Columns, Found extends Columns>(
  by: By,
  found: Found,
  from: string,
  expressions: Readonly<Record<string, string>> = {},
): Lookup<By, Found> {
  const columns = Object.keys(found).map((name) => expressions[name] ?? `t.${name}`);
  return { ...sqlText(by, `select ${columns.join(', ')} from ${from}`), by, found };
}

export function callOf<By extends Columns, Found extends Columns>(
  called: Lookup<By, Found>,
  key: Named<By>,
): LookupCall {
  const { names, kinds } = called;
  const parameters = kinds.map((kind, index) =>
    toParameter(kind, key[names[index] as keyof By] as DatabaseValue),
  );
  return { lookup: called, parameters };
}

/** Names the values of a row, which a database returns in the order of the columns. */
export function namedRow({ found }: LookupCall['lookup'], values: readonly DatabaseValue[]): Named<Columns> {
  const row: Record<string, DatabaseValue> = {};
  let index = 0;
  for (const name in found) {
    row[name] = fromDatabase(found[name] as never, values[index] as DatabaseValue);
    index += 1;
  }
  return row as Named<Columns>;
}
