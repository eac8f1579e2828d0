import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { QueryAnswer } from './thread-messages.ts';

export function runQuery(db: DatabaseSync, sql: string, parameters: readonly SQLInputValue[]): QueryAnswer {
  const statement = db.prepare(sql);
  if (statement.columns().length > 0) {
    return { rows: statement.all(...parameters), changes: 0, lastInsertRowid: 0 };
  }
  return { rows: [], ...statement.run(...parameters) };
}
