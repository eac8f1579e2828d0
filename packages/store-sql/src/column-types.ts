import type { ColumnDataType, RawBuilder } from 'kysely';

/** What a dialect calls the column types, and how it stores a table. */
export interface ColumnTypes {
  /** 64 bits: numbers, record ids, timestamps. */
  readonly integer: ColumnDataType;
  readonly bytes: ColumnDataType;
  /** Follows a table's columns, so that its rows are stored in the order of the primary key. Absent: nothing. */
  readonly tableEnd?: RawBuilder<unknown>;
}
