import { sql } from 'kysely';
import type { ColumnTypes } from '../../column-types.ts';

/**
 * An integer of SQLite has up to 64 bits. A table without rowid is one tree, that of its primary key: one write inserts a
 * row, one read finds it, and a key that begins with the time goes to the end.
 */
export const sqliteColumnTypes: ColumnTypes = {
  integer: 'integer',
  bytes: 'blob',
  tableEnd: sql`without rowid`,
};
