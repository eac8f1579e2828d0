import { existsSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import type { Schema } from '../../schema/schema.ts';
import { sqliteDialect } from './dialect.ts';
import { requireFile } from './files/files.ts';
import { openOwn } from './files/open-own.ts';
import { codes } from './files/sqlite-errors.ts';
import { openErrorOf, toOpenError } from './files/store-errors.ts';
import { localConnection, shared } from './threads/reader.ts';

// Milliseconds to wait for another process's lock.
const busyTimeout = 2000;

/**
 * Reads a database, also while a server runs, and leaves it and its directory as they are.
 *
 * A connection that only reads still makes the files `-wal` and `-shm`. So a database without them is opened as one that nobody
 * changes, and read again if a process began to change it meanwhile.
 *
 * @throws DatabaseOpenError
 */
export async function readUntouched<Value>(
  file: string,
  read: (db: Kysely<Schema>) => Promise<Value>,
): Promise<Value> {
  requireFile(file);
  // SQLite opens it, and fails at the first read.
  if (statSync(file).isDirectory())
    throw toOpenError(file, { message: 'it is a directory', code: codes.cannotOpen });
  const isAtRest = () => !existsSync(`${file}-wal`);
  if (isAtRest()) {
    const reading = readOnce(file, true, read);
    await reading.catch(() => {});
    if (isAtRest()) return reading;
  }
  return readOnce(file, false, read);
}

async function readOnce<Value>(
  file: string,
  immutable: boolean,
  read: (db: Kysely<Schema>) => Promise<Value>,
): Promise<Value> {
  let connection: DatabaseSync | undefined;
  try {
    connection = openOwn(file, { readOnly: true, timeout: busyTimeout, immutable });
    return await read(new Kysely<Schema>({ dialect: sqliteDialect(shared(localConnection(connection))) }));
  } catch (error) {
    throw openErrorOf(file, error);
  } finally {
    connection?.close();
  }
}
