import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { ColumnTypes } from '../column-types.ts';

/** A column can be null only if its kind ends in `?`. Integers have 64 bits. */
export type ColumnKind = 'text' | 'text?' | 'integer' | 'integer?' | 'bytes' | 'bytes?' | 'real';

export interface TableOptions {
  /** Default: the first column. */
  readonly primaryKey?: readonly string[];
  /**
   * By which an engine with shards distributes the rows: `shard`, a column that only such an engine has, or the primary key. Default:
   * the table is small, or only background work uses it, and it is not distributed.
   */
  readonly distributedBy?: string;
}

/** For tables whose rows have a shard. */
export const onShards = { distributedBy: 'shard' } as const;

export async function createTable(
  db: Kysely<unknown>,
  types: ColumnTypes,
  name: string,
  columns: Readonly<Record<string, ColumnKind>>,
  { primaryKey = Object.keys(columns).slice(0, 1), distributedBy }: TableOptions = {},
): Promise<void> {
  const { sharding } = types;
  const hasShard = sharding !== undefined && distributedBy === 'shard';
  let table = db.schema.createTable(name);
  if (hasShard) table = table.addColumn('shard', sharding.shardType, (shard) => shard.notNull());
  for (const [column, kind] of Object.entries(columns)) {
    const isNullable = kind.endsWith('?');
    table = table.addColumn(column, typeOf(kind, types), (definition) =>
      isNullable ? definition : definition.notNull(),
    );
  }
  const key = hasShard ? sharding.keyOf(primaryKey) : primaryKey;
  table = table.addPrimaryKeyConstraint(`${name}_primary_key`, [...key] as never[]);
  if (types.tableEnd !== undefined) table = table.modifyEnd(types.tableEnd);
  await table.execute();
  if (distributedBy !== undefined) await sharding?.distribute(db, name, distributedBy, primaryKey);
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
  /**
   * Only rows in which this column is null, is not null, is greater than 0, is a text and not empty, or is not that of the column `revision` are in
   * the index; or those for which a condition holds.
   */
  readonly where?:
    | readonly [column: string, condition: 'is null' | 'is not null' | '> 0' | "> ''" | '<> revision']
    | RawBuilder<boolean>;
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
  if (where !== undefined) index = index.where('toOperationNode' in where ? where : partOf(where));
  await index.execute();
}

function partOf([column, condition]: Extract<IndexOptions['where'], readonly unknown[]>) {
  return sql<boolean>`${sql.ref(column)} ${sql.raw(condition)}`;
}
