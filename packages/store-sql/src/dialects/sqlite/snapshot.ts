import type { DatabaseSync } from 'node:sqlite';
import { toSqliteError } from './files/sqlite-errors.ts';
import { toStoreError } from './files/store-errors.ts';

/** Reads from one state of the database, also during writes. */
export function inSnapshot<Value>(reader: DatabaseSync, read: () => Value): Value {
  return reading(() => {
    reader.exec('begin');
    try {
      return read();
    } finally {
      reader.exec('commit');
    }
  });
}

/** Reads by one statement, which is a snapshot of its own. */
export function reading<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw toStoreError(toSqliteError(error));
  }
}
