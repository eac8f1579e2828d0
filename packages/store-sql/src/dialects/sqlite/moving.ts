import { Kysely } from 'kysely';
import type { MovableDatabase } from '../../moving/movable-database.ts';
import type { Schema } from '../../schema/schema.ts';
import { sqliteColumnTypes } from './column-types.ts';
import { sqliteDialect } from './dialect.ts';
import { requireFile } from './files/files.ts';
import { openErrorOf } from './files/store-errors.ts';
import { lockDatabase } from './make-database.ts';
import { busyTimeout, withWriter } from './open.ts';
import { threadReader } from './threads/reader.ts';

// SQLite limits the values of a statement to 32,766, and no table has more columns than this.
const rowsPerStatement = 500;

/** Opens a file whose rows are moved, or that gets them. A file that is missing is made only as the target. */
export async function withMovableSqlite<Value>(
  file: string,
  role: 'source' | 'target',
  work: (database: MovableDatabase) => Promise<Value>,
): Promise<Value> {
  if (role === 'source') requireFile(file);
  const { lock } = await lockDatabase(file, 'all');
  try {
    return await withWriter({ file }, async (writer) => {
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
