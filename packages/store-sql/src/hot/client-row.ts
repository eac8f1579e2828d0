import type { Client } from '@watchword/protocol';
import { rowReader } from './column-functions.ts';
import type { Named } from './columns.ts';

/**
 * Columns of a client that become its record in memory. Digests are hexadecimal text, empty where there is none: byte arrays of
 * 100,000 clients would take 0.1 s of a start, and 30 MB.
 */
const columns = {
  id: 'number',
  client_id: 'text',
  secret_hash: 'text',
  previous_secret_hash: 'text',
  previous_secret_valid_until: 'number',
  secret_created: 'number?',
  secrets: 'text?',
  client_name: 'text',
  resource_server_id: 'number',
  scopes: 'text',
  skip_consent: 'number',
  is_trusted: 'number',
  keeps_user_data: 'number',
  tokens_valid_from: 'number',
  other_servers: 'text?',
  managed_by: 'text?',
  metadata: 'text',
  revision: 'number',
  deleted_at: 'number?',
} as const;

export type ClientRow = Named<typeof columns>;

/**
 * A client in memory: its record, or the row of which its record is made when somebody first asks for it. Nobody asks for most of
 * 100,000 clients soon after a start, whose records would take nearly as long as reading the rows (docs/performance.md).
 */
export type KeptClient = Client | ClientRow;

/** What `select` returns. @param hex writes the expression for the hexadecimal digits of a column, empty if it is null */
export function clientRowColumns(hex: (column: string) => string): string {
  return Object.keys(columns)
    .map((name) => (name.endsWith('_hash') ? hex(name) : name))
    .join(', ');
}

/** Names the values of a row with {@link clientRowColumns}. */
export const toClientRow = rowReader(columns);
