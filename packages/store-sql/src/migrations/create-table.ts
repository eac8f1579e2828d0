import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from '../column-types.ts';

/** A column can be null only if its kind ends in `?`. Integers have 64 bits. */
export type ColumnKind = 'text' | 'text?' | 'integer' | 'integer?' | 'bytes' | 'bytes?' | 'real';

/** @param primaryKey the first column, unless others are named */
export async function createTable(
  db: Kysely<unknown>,
  types: ColumnTypes,
  name: string,
  columns: Readonly<Record<string, ColumnKind>>,
  primaryKey: readonly string[] = Object.keys(columns).slice(0, 1),
): Promise<void> {
  let table = db.schema.createTable(name);
  for (const [column, kind] of Object.entries(columns)) {
    const isNullable = kind.endsWith('?');
    table = table.addColumn(column, typeOf(kind, types), (definition) =>
      isNullable ? definition : definition.notNull(),
    );
  }
  table = table.addPrimaryKeyConstraint(`${name}_primary_key`, [...primaryKey] as never[]);
  if (types.tableEnd !== undefined) table = table.modifyEnd(types.tableEnd);
  await table.execute();
}

function typeOf(kind: ColumnKind, { integer, bytes, text }: ColumnTypes): ColumnTypes['text'] {
  switch (kind) {
    case 'integer':
    case 'integer?':
      return integer;
    case 'bytes':
    case 'bytes?':
      return bytes;
    case 'real':
      return 'double precision';
    default:
      return text;
  }
}

export interface IndexOptions {
  readonly isUnique?: boolean;
  /** Only rows in which this column is null, is not null, or is greater than 0 are in the index. */
  readonly where?: readonly [column: string, condition: 'is null' | 'is not null' | '> 0'];
}

/** The name of an index is the name of the table and `suffix`. */
export async function createIndex(
  db: Kysely<unknown>,
  table: string,
  suffix: string,
  columns: readonly string[],
  { isUnique = false, where }: IndexOptions = {},
): Promise<void> {
  let index = db.schema
    .createIndex(`${table}_${suffix}`)
    .on(table)
    .columns([...columns]);
  if (isUnique) index = index.unique();
  if (where !== undefined) index = index.where(partOf(where));
  await index.execute();
}

function partOf([column, condition]: NonNullable<IndexOptions['where']>) {
  return sql<boolean>`${sql.ref(column)} ${sql.raw(condition)}`;
}
