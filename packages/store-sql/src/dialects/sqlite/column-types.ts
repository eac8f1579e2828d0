import { sql } from 'kysely';
import type { ColumnTypes } from '../../schema/column-types.ts';

/**
 * An integer of SQLite has up to 64 bits. A table without rowid is one tree, that of its primary key: one write inserts a
 * row, one read finds it, and rows whose key begins with the time are appended.
 */
export const sqliteColumnTypes: ColumnTypes = {
  integer: 'integer',
  bytes: 'blob',
  text: 'text',
  hasLongKeys: true,
  tableEnd: sql`without rowid`,
};
