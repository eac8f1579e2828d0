import type { DatabaseSync } from 'node:sqlite';

/**
 * SQL that inserts a row with these values, each an SQL expression; the other columns are null, 0 or empty.
 *
 * @param from follows the values, for example a table from which they are selected
 */
export function insertSql(
  db: DatabaseSync,
  table: string,
  values: Readonly<Record<string, string>>,
  from = '',
): string {
  const columns = db.prepare(`pragma table_info(${table})`).all();
  const expressions = columns.map(({ name, type, notnull }) => {
    const given = values[String(name)];
    if (given !== undefined || notnull === 0) return given ?? 'null';
    if (type === 'blob') return "x''";
    return type === 'text' ? "''" : '0';
  });
  return `insert into ${table} select ${expressions.join(', ')} ${from}`;
}
