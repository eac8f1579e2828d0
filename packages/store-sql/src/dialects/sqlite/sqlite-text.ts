import { type SqlText, withMarks, withPlaceholders } from '../../hot/sql-text.ts';

export function sqliteText({ sql, names }: SqlText): string {
  return withPlaceholders({ sql: withMarks(sql), names }, (position) => `?${position}`);
}
