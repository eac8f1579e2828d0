import { Kysely } from 'kysely';
import { schemaState } from '../../migrate.ts';
import type { MovableDatabase } from '../../moving/movable-database.ts';
import type { Schema } from '../../schema.ts';
import { sqliteColumnTypes } from './column-types.ts';
import { sqliteDialect } from './dialect.ts';
import { createDirectory, requireFile } from './files.ts';
import { bringUpToDate, busyTimeout, withWriter } from './open.ts';
import { threadReader } from './reader.ts';
import { ServerLock } from './server-lock.ts';
import { openErrorOf } from './store-errors.ts';

// SQLite limits the values of a statement to 32,766, and no table has more columns than this.
const rowsPerStatement = 500;

/** Opens a file whose rows are moved, or that gets them. A file that is missing is made only as the target. */
export async function withMovableSqlite<Value>(
  file: string,
  role: 'source' | 'target',
  work: (database: MovableDatabase) => Promise<Value>,
): Promise<Value> {
  const mayCreate = role === 'target';
  if (mayCreate) createDirectory(file);
  else requireFile(file);
  const lock = ServerLock.acquire(file);
  try {
    return await withWriter({ file }, { mayCreate }, async (writer, own) => {
      const { applied } = await schemaState(own);
      if (mayCreate && applied.length === 0) await bringUpToDate(file, writer, own, 'all');
      const reader = threadReader({ file, busyTimeout });
      try {
        const db = new Kysely<Schema>({ dialect: sqliteDialect(writer, reader) });
        const explain = (error: unknown) => openErrorOf(file, error);
        const value = await work({ db, explain, shown: file, types: sqliteColumnTypes, insert });
        await writer.close();
        return value;
      } finally {
        await reader.close();
      }
    });
  } finally {
    lock.release();
  }
}

const insert: MovableDatabase['insert'] = async (db, table, rows) => {
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    const some = rows.slice(start, start + rowsPerStatement);
    await db
      .insertInto(table)
      .values(some as never)
      .execute();
  }
};
