import { sql } from 'kysely';
import type { ColumnTypes } from '../../schema/column-types.ts';

/** The collation "C" orders text by its bytes, as SQLite does, on every machine, and a change of the system's locales does not damage an index. */
export const postgresqlColumnTypes: ColumnTypes = {
  integer: 'bigint',
  bytes: 'bytea',
  text: sql`text collate "C"`,
  hasLongKeys: false,
};
