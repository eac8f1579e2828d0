import type { Client } from '@watchword/protocol';
import type { ClientRow, KeptClient } from '../hot/client-row.ts';
import { isUsualClient, toClient } from './record-columns.ts';

/**
 * A public client has its record at once, because its origins are needed, and so has one whose row may be damaged, which is an error
 * of the read.
 *
 * @throws SyntaxError if the row is damaged
 */
export function keptClient(row: ClientRow): KeptClient {
  return isUsualClient(row) ? row : recordOf(row);
}

/** Whether its record is not made yet. Then it is a confidential client. */
export function isRow(client: KeptClient): client is ClientRow {
  return 'metadata' in client;
}

/** Never throws for what {@link keptClient} has left as a row. */
export function recordOf(row: ClientRow): Client {
  return toClient({
    ...row,
    secret_hash: bytes(row.secret_hash),
    previous_secret_hash: bytes(row.previous_secret_hash),
  });
}

function bytes(hex: string): Uint8Array | null {
  return hex === '' ? null : new Uint8Array(Buffer.from(hex, 'hex'));
}
