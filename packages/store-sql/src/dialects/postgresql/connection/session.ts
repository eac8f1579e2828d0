/** A statement with its values. A statement with a name is prepared once a connection, unless preparing is off. */
export interface SessionQuery {
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
  /** Object identifiers (OID) of the types of the values. Without them the server infers each type from the text. */
  readonly types?: readonly number[];
}

/** The answer to a statement. */
export interface SessionResult {
  /** Values in the order of the columns: `bytea` as Buffer, all numbers as number, text as string, or null. */
  readonly rows: readonly (readonly unknown[])[];
  /** Names of the columns; empty for a statement that returns no rows. */
  readonly columns: readonly string[];
  /** Number of rows that were changed or returned. */
  readonly changes: number;
  /** What the server did, such as `INSERT`, `SELECT`, `COMMIT`; `ROLLBACK` for the commit of a failed transaction. */
  readonly command: string;
}

/** A connection during the work of one caller. */
export interface Session {
  /**
   * Statements that begin a transaction, with the time limits of the session and at least `synchronous_commit = on`. All reads
   * of a read-only one see the same snapshot.
   */
  begin(access?: 'read only'): readonly SessionQuery[];
  /**
   * Sends the statements at once and resolves with their results, in order: one round trip. After an error the statements
   * behind it do not run. Without `begin` they are one transaction.
   *
   * @throws PostgresqlError with the SQLSTATE, or because the connection was lost
   */
  pipeline(queries: readonly SessionQuery[]): Promise<SessionResult[]>;
}

export interface SessionPool {
  /**
   * Runs the work on a connection that no other caller has.
   *
   * @throws StoreUnavailableError if no connection becomes free or can be opened in time; errors of PostgreSQL as errors of
   *   the store
   */
  use<Value>(work: (session: Session) => Promise<Value>): Promise<Value>;
}

/** The ends of a transaction. */
export const commit: SessionQuery = { name: 'commit', text: 'commit', values: [] };
export const rollback: SessionQuery = { name: 'rollback', text: 'rollback', values: [] };
