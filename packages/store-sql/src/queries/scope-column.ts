import type { Scopes } from '@watchword/protocol';
import { type RawBuilder, sql } from 'kysely';

/** Reads a column of space-delimited scope tokens. */
export function parseScopes(column: string): Scopes {
  return column === '' ? [] : column.split(' ');
}

/**
 * Whether the column `scopes` has one of the resource servers as a target. Marks and scopes of a resource server begin with its record id, see
 * `targeted-scope.ts`. A backslash escapes nothing here.
 *
 * @param targets record ids; `undefined`: any
 */
export function isForOneOf(targets: readonly number[] | undefined, table: string): RawBuilder<boolean> {
  if (targets === undefined) return sql`true`;
  const isForOne = targets.map(
    (target) => sql`' ' || ${sql.ref(`${table}.scopes`)} like ${`% ${target}\\%`} escape '!'`,
  );
  return sql`(${sql.join(isForOne, sql` or `)})`;
}
