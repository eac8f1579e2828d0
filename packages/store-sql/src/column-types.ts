import type { ColumnDataType, RawBuilder } from 'kysely';

/** The names of column types in a dialect, and the way in which it stores a table. */
export interface ColumnTypes {
  /** 64 bits: numbers, record ids, timestamps. */
  readonly integer: ColumnDataType;
  readonly bytes: ColumnDataType;
  /** Ordered and compared by its bytes. */
  readonly text: ColumnDataType | RawBuilder<unknown>;
  /** Text after the columns of a table, so that its rows are stored in the order of the primary key. */
  readonly tableEnd?: RawBuilder<unknown>;
}
