import type { ColumnKind, Columns, DatabaseValue, Named } from './columns.ts';
import { fromDatabase, toParameter } from './columns.ts';
import { type SqlText, sqlText } from './sql-text.ts';

/** A read of one row by its key. */
export interface Lookup<By extends Columns, Found extends Columns> extends FoundColumns {
  readonly by: By;
  readonly found: Found;
}

/** The text of a lookup, and the columns that it finds in the order in which a database returns them. */
interface FoundColumns extends SqlText {
  readonly foundNames: readonly string[];
  readonly foundKinds: readonly ColumnKind[];
}

/** A lookup with its key, as a database takes it. */
export interface LookupCall {
  readonly lookup: FoundColumns;
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
  return {
    ...sqlText(by, `select ${columns.join(', ')} from ${from}`),
    by,
    found,
    foundNames: Object.keys(found),
    foundKinds: Object.values(found),
  };
}

/** The parameters of a lookup with this key, as a database takes them. */
export function parametersOf<By extends Columns>(
  { names, kinds }: Lookup<By, Columns>,
  key: Named<By>,
): DatabaseValue[] {
  const parameters: DatabaseValue[] = [];
  for (let index = 0; index < names.length; index += 1) {
    const value = key[names[index] as keyof By] as DatabaseValue;
    parameters.push(toParameter(kinds[index] as ColumnKind, value));
  }
  return parameters;
}

/** Names the values of a row, which a database returns in the order of the columns. */
export function namedRow(
  { foundNames, foundKinds }: LookupCall['lookup'],
  values: readonly DatabaseValue[],
): Named<Columns> {
  const row: Record<string, DatabaseValue> = {};
  for (let index = 0; index < foundNames.length; index += 1) {
    const value = values[index] as DatabaseValue;
    row[foundNames[index] as string] = fromDatabase(foundKinds[index] as ColumnKind, value);
  }
  return row as Named<Columns>;
}
