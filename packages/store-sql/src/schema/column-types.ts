import type { ColumnDataType, Kysely, RawBuilder } from 'kysely';

/** The names of column types in a dialect, and the way in which it stores a table. */
export interface ColumnTypes {
  /** 64 bits: numbers, record ids, timestamps. */
  readonly integer: ColumnDataType;
  readonly bytes: ColumnDataType;
  /** Ordered and compared by its bytes. */
  readonly text: ColumnDataType | RawBuilder<unknown>;
  /** Text after the columns of a table, so that its rows are stored in the order of the primary key. */
  readonly tableEnd?: RawBuilder<unknown>;
  /** Whether an index has texts of any length. */
  readonly hasLongKeys: boolean;
  /** How an engine that distributes rows over machines stores tables. */
  readonly sharding?: Sharding | undefined;
}

/** Tables of rows with a shard have the column `shard`, the number of that shard, in their primary key. */
export interface Sharding {
  readonly shardType: RawBuilder<unknown>;
  /** The primary key of a table whose rows have a shard. */
  keyOf(key: readonly string[]): readonly string[];
  /**
   * Distributes a new table over the machines.
   *
   * @param column by which the rows are distributed: `shard`, or a text that is the primary key
   */
  distribute(db: Kysely<unknown>, table: string, column: string, key: readonly string[]): Promise<void>;
}
