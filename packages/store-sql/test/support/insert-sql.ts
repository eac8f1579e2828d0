import { engine } from '@watchword/server-testkit/servers/engine';
import type { TestDatabase } from './test-database.ts';

const columnsOf = {
  sqlite: `select name, type = 'blob' as "isBytes", type = 'text' as "isText", "notnull" = 0 as "mayBeNull"
    from pragma_table_info(?)`,
  postgresql: `select column_name as name, data_type = 'bytea' as "isBytes", data_type = 'text' as "isText",
      is_nullable = 'YES' as "mayBeNull"
    from information_schema.columns where table_name = ? order by ordinal_position`,
};

const noBytes = { sqlite: "x''", postgresql: "'\\x'::bytea" }[engine];

/**
 * SQL that inserts a row with these values, each an SQL expression; the other columns are null, 0 or empty.
 *
 * @param from follows the values, for example a table from which they are selected
 */
export async function insertSql(
  database: TestDatabase,
  table: string,
  values: Readonly<Record<string, string>>,
  from = '',
): Promise<string> {
  const columns = await database.sql(columnsOf[engine], table);
  const expressions = columns.map(({ name, isBytes, isText, mayBeNull }) => {
    const given = values[String(name)];
    if (given !== undefined || mayBeNull) return given ?? 'null';
    if (isBytes) return noBytes;
    return isText ? "''" : '0';
  });
  return `insert into ${table} select ${expressions.join(', ')} ${from}`;
}
