import { type SqlText, withPlaceholders } from '../../hot/sql-text.ts';

export function sqliteText(text: SqlText): string {
  return withPlaceholders(text, (position) => `?${position}`);
}
