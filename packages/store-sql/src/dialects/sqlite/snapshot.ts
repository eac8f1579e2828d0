import type { DatabaseSync } from 'node:sqlite';
import { toSqliteError } from './sqlite-errors.ts';
import { toStoreError } from './store-errors.ts';

/** Reads from one state of the database, also during writes. */
export function inSnapshot<Value>(reader: DatabaseSync, read: () => Value): Value {
  try {
    reader.exec('begin');
    try {
      return read();
    } finally {
      reader.exec('commit');
    }
  } catch (error) {
    throw toStoreError(toSqliteError(error));
  }
}
