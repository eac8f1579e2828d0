import type { Kysely } from 'kysely';
import type { DatabaseValue } from '../hot/columns.ts';
import type { ColumnTypes } from '../schema/column-types.ts';
import type { Schema } from '../schema/schema.ts';

/** A row, with its values by the names of the columns. */
export type Row = Readonly<Record<string, DatabaseValue>>;

/** What reads tables, and explains its errors. */
export interface TableReader {
  readonly db: Kysely<Schema>;
  /** The error with advice for the operator, if it is of this database. */
  explain(error: unknown): unknown;
}

/** A database whose rows are moved, or that gets them. No server uses it meanwhile. */
export interface MovableDatabase extends TableReader {
  /** For messages: the file, or the URL without its password. */
  readonly shown: string;
  readonly types: ColumnTypes;
  /** Inserts rows that have the same columns. */
  insert(db: Kysely<Schema>, table: keyof Schema, rows: readonly Row[]): Promise<void>;
}

/** Opens a database for the time of the work. @throws DatabaseOpenError if it cannot be opened, or if a server uses it */
export type WithMovable = <Value>(work: (database: MovableDatabase) => Promise<Value>) => Promise<Value>;
