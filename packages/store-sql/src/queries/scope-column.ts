import type { Scopes } from '@watchword/protocol';

/** Reads a column of space-delimited scope tokens. */
export function parseScopes(column: string): Scopes {
  return column === '' ? [] : column.split(' ');
}
