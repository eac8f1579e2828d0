import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { QueryAnswer } from './thread-messages.ts';

interface Prepared {
  readonly statement: StatementSync;
  readonly returnsRows: boolean;
}

/** Statements that a connection keeps. Most texts come again, but lists of values make new ones all the time. */
const kept = 100;

/** Of each connection by their texts, the last used one last. SQLite prepares them anew when the schema has changed. */
const statements = new WeakMap<DatabaseSync, Map<string, Prepared>>();

/** Preparing a statement takes longer than running most of them. */
export function runQuery(db: DatabaseSync, sql: string, parameters: readonly SQLInputValue[]): QueryAnswer {
  const { statement, returnsRows } = preparedOf(db, sql);
  if (returnsRows) return { rows: statement.all(...parameters), changes: 0, lastInsertRowid: 0 };
  return { rows: [], ...statement.run(...parameters) };
}

function preparedOf(db: DatabaseSync, sql: string): Prepared {
  const known = statements.get(db) ?? new Map<string, Prepared>();
  statements.set(db, known);
  const prepared = known.get(sql) ?? prepare(db, sql);
  known.delete(sql);
  known.set(sql, prepared);
  const [oldest = sql] = known.keys();
  if (known.size > kept) known.delete(oldest);
  return prepared;
}

function prepare(db: DatabaseSync, sql: string): Prepared {
  const statement = db.prepare(sql);
  return { statement, returnsRows: statement.columns().length > 0 };
}
