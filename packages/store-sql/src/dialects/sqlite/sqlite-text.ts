import type { ColumnKind } from '../../hot/columns.ts';
import { type SqlText, withMarks, withPlaceholders } from '../../hot/sql-text.ts';
import type { StatementDefinition } from '../../hot/statement.ts';

/** Its parameters are values for a database. */
export function sqliteText({ sql, names }: SqlText): string {
  return withPlaceholders({ sql: withMarks(sql), names }, (position) => `?${position}`);
}

/**
 * Its parameters are values as they travelled to this thread, of which SQLite makes byte arrays. That saves a statement 1 us, because
 * each array of JavaScript is memory to allocate, to fill and to collect.
 */
export function commandText({ sql, names, parameters }: StatementDefinition): string {
  const kinds = Object.values(parameters);
  return withPlaceholders({ sql: withMarks(sql), names }, (position) =>
    travelled(`?${position}`, kinds[position - 1]),
  );
}

function travelled(value: string, kind: ColumnKind | undefined): string {
  switch (kind) {
    case 'id':
    case 'id?':
      return `unhex(${value}, '-')`;
    case 'bytes':
      return `unhex(${value})`;
    default:
      return value;
  }
}
