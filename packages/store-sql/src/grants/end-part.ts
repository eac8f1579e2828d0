import {
  type EndedGrants,
  type EndOfPart,
  endedAt,
  formatScope,
  namesOf,
  targetsOf,
  withoutTargets,
} from '@watchword/protocol';
import type { Kysely } from 'kysely';
import { idToBytes } from '../hot/token-id.ts';
import { inParts } from '../queries/in-parts.ts';
import { parseScopes } from '../queries/scope-column.ts';
import type { Schema } from '../schema/schema.ts';

/**
 * Takes resource servers out of the grants of subjects for a client, and out of what they consented to.
 *
 * @param db a transaction that has counted the end in their sessions
 */
export async function endPart(db: Kysely<Schema>, end: EndOfPart, now: number): Promise<EndedGrants> {
  const total = { grants: 0, consents: 0 };
  for (const subjects of inParts([...new Set(end.subjects)])) {
    total.grants += await endInGrants(db, { ...end, subjects }, now);
    // After the grants: a consent that is being saved keeps its grant from being revoked until it is stored.
    total.consents += await endInConsents(db, { ...end, subjects });
  }
  return total;
}

async function endInGrants(
  db: Kysely<Schema>,
  { subjects, clientRecordId, resourceServerIds, grantId, since = 0 }: EndOfPart,
  now: number,
): Promise<number> {
  let found = db
    .selectFrom('authorization_grant')
    .select(['id', 'scopes', 'expires'])
    .where('subject', 'in', subjects)
    .where('client_record_id', '=', clientRecordId)
    .where('creation_date', '>=', since)
    .where('revoked_at', 'is', null);
  if (grantId !== undefined) found = found.where('id', '=', idToBytes(grantId));
  let ended = 0;
  for (const { id, scopes, expires } of await found.execute()) {
    const before = parseScopes(scopes);
    const after = endedAt(before, resourceServerIds);
    if (after === before) continue;
    await db
      .updateTable('authorization_grant')
      .set({ scopes: formatScope(after), part_ended_at: now })
      .where('id', '=', id)
      .execute();
    if (expires === 0 || expires > now) ended += 1;
  }
  return ended;
}

async function endInConsents(
  db: Kysely<Schema>,
  { subjects, clientRecordId, resourceServerIds }: EndOfPart,
): Promise<number> {
  const found = await db
    .selectFrom('consent')
    .select(['client_record_id', 'identity_provider', 'principal_name', 'redirect_uri', 'scopes'])
    .where('subject', 'in', subjects)
    .where('client_record_id', '=', clientRecordId)
    .execute();
  let ended = 0;
  for (const { scopes, ...key } of found) {
    const before = parseScopes(scopes);
    const after = withoutTargets(before, resourceServerIds);
    if (after === before) continue;
    const isKey = Object.entries(key) as [keyof typeof key, string | number][];
    if (targetsOf(after)?.length === 0 && namesOf(after).length === 0) {
      let deletion = db.deleteFrom('consent');
      for (const [column, value] of isKey) deletion = deletion.where(column, '=', value);
      await deletion.execute();
    } else {
      let update = db.updateTable('consent').set({ scopes: formatScope(after) });
      for (const [column, value] of isKey) update = update.where(column, '=', value);
      await update.execute();
    }
    ended += 1;
  }
  return ended;
}
