import type { DatabaseSync } from 'node:sqlite';
import type { Grant } from '@watchword/protocol';
import { type GrantRow, toGrant } from '../../grant-columns.ts';

/** Finds grants by their id, in the snapshot that is open on the connection. */
export interface GrantLookup {
  /** Also one that is revoked; `undefined` when the purge has removed it. */
  find(id: Uint8Array): Grant | undefined;
  /** `undefined` also when it is revoked. */
  findActive(id: Uint8Array): Grant | undefined;
}

export function grantLookup(reader: DatabaseSync): GrantLookup {
  const byId = `select id, client_record_id, identity_provider, principal, subject, authentication, scopes,
      creation_date from authorization_grant where id = ?`;
  const all = reader.prepare(byId);
  const active = reader.prepare(`${byId} and revoked_at is null`);
  const grantOf = (row: unknown) => (row === undefined ? undefined : toGrant(row as GrantRow));
  return {
    find: (id) => grantOf(all.get(id)),
    findActive: (id) => grantOf(active.get(id)),
  };
}
