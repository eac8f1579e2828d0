import type { SQLInputValue } from 'node:sqlite';
import type { Mutex } from '../../../work/waiting.ts';
import type { SqliteError } from '../files/sqlite-errors.ts';

/** Messages between the main thread and the threads that own connections. */
export interface QueryRequest {
  readonly type: 'query';
  readonly sql: string;
  readonly parameters: readonly SQLInputValue[];
  /** `true` if a commit of the statement need not reach the disk before the answer. Default: `false`. */
  readonly mayBeLost?: boolean;
}

export interface QueryAnswer {
  readonly rows: readonly unknown[];
  readonly changes: number | bigint;
  readonly lastInsertRowid: number | bigint;
}

export interface ThreadMessage<Request> {
  readonly id: number;
  readonly request: Request;
}

/** The first reply has id 0 and reports whether the file could be opened. */
export type ThreadReply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly sqliteError: SqliteError };

/** Runs statements one after another. */
export interface SqlConnection {
  query(sql: string, parameters: readonly SQLInputValue[]): Promise<QueryAnswer>;
}

/** A connection that all callers share. */
export interface SharedConnection extends SqlConnection {
  /** Held during a query, and while a transaction is open. */
  readonly mutex: Mutex;
}
