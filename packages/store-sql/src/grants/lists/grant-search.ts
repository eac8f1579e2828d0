import type { GrantEntry, IsWantedGrant, SkippedEntry } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import { idFromBytes } from '../../hot/token-id.ts';
import type { Schema } from '../../schema/schema.ts';
import { consentEntries, type EntryRow, grantEntries, toGrantEntries } from './grant-entries.ts';

/**
 * Reads the whole entries of the rows that are wanted. Every other row is skipped, and so is one that is removed meanwhile.
 *
 * @param places rows of which only the place is read, in the order of the search
 */
export async function wantedEntries(
  db: Kysely<Schema>,
  places: readonly EntryRow[],
  isWanted: IsWantedGrant,
  now: number,
): Promise<(GrantEntry | SkippedEntry)[]> {
  const wanted: EntryRow[] = [];
  for (const place of places) {
    const { principal_name: name, client_record_id: clientRecordId } = place;
    if (await isWanted({ name, clientRecordId })) wanted.push(place);
  }
  const entries = Map.groupBy(
    await toGrantEntries(db, await wholeRows(db, wanted, now), now),
    ({ id }) => id,
  );
  return places.flatMap((place): (GrantEntry | SkippedEntry)[] => {
    const id = idFromBytes(place.id);
    const found = entries.get(id);
    // A grant and the consent that was given with it have one id, and are listed at the first of their rows.
    if (found !== undefined) entries.set(id, []);
    return found ?? [skipped(place)];
  });
}

async function wholeRows(
  db: Kysely<Schema>,
  places: readonly EntryRow[],
  now: number,
): Promise<readonly EntryRow[]> {
  const idsOf = (isGrant: number) =>
    places.filter(({ is_grant }) => is_grant === isGrant).map(({ id }) => id);
  const [grants, consents] = [idsOf(1), idsOf(0)];
  const found = [
    ...(grants.length > 0 ? await grantEntries(db, now).where('g.id', 'in', grants).execute() : []),
    ...(consents.length > 0 ? await consentEntries(db).where('c.grant_id', 'in', consents).execute() : []),
  ];
  const rows = new Map(found.map((row) => [keyOf(row), row]));
  return places.flatMap((place) => rows.get(keyOf(place)) ?? []);
}

function keyOf({ is_grant, id }: Pick<EntryRow, 'is_grant' | 'id'>): string {
  return `${is_grant} ${idFromBytes(id)}`;
}

function skipped(place: EntryRow): SkippedEntry {
  const { id, client_record_id: clientRecordId, identity_provider: identityProvider } = place;
  return { type: 'skipped', id: idFromBytes(id), clientRecordId, identityProvider };
}
