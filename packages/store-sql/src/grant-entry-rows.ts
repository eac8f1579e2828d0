import type { GrantEntry } from '@watchword/protocol';
import { type Kysely, sql } from 'kysely';
import type { EntryRow } from './grant-entries.ts';
import { idFromBytes } from './hot/token-id.ts';
import type { Schema } from './schema.ts';
import { parseScopes } from './scope-column.ts';

// Databases bound how many values a statement may have.
const pairsAtOnce = 250;

/** Adds what the resource owners consented to for the same clients. */
export async function toGrantEntries(
  db: Kysely<Schema>,
  rows: readonly EntryRow[],
  now: number,
): Promise<GrantEntry[]> {
  const consents = Map.groupBy(await consentsOf(db, rows), pairOf);
  return rows.map((row) => {
    const ofPair = consents.get(pairOf(row)) ?? [];
    const listed = {
      id: idFromBytes(row.id),
      clientRecordId: row.client_record_id,
      identityProvider: row.identity_provider,
      name: row.principal_name,
      subject: row.subject,
      consentedScopes: [...new Set(ofPair.flatMap(({ scopes }) => parseScopes(scopes)))],
      creationDate: row.creation_date,
    };
    if (row.is_grant === 0) {
      const isLast = ofPair.every(({ grant_id }) => Buffer.compare(grant_id, row.id) <= 0);
      return { type: 'consent', ...listed, isLast, activeGrantDate: row.granted_at ?? undefined };
    }
    const { revoked_at, expires } = row;
    return {
      type: 'grant',
      ...listed,
      isActive: revoked_at === null && (expires === 0 || (expires ?? 0) > now),
      principal: JSON.parse(row.principal ?? 'null'),
      scopes: parseScopes(row.scopes),
      lastUsed: row.last_used ?? 0,
      hasRefreshToken: (row.refresh_tokens ?? 0) > 0,
      accessTokens: row.access_tokens ?? 0,
    };
  });
}

type Pair = Pick<EntryRow, 'identity_provider' | 'principal_name' | 'subject' | 'client_record_id'>;

function pairOf({ identity_provider, principal_name, subject, client_record_id }: Pair): string {
  return JSON.stringify([client_record_id, subject, identity_provider, principal_name]);
}

/** A consent is valid for the name under which it was given, so it is found by the primary key. */
async function consentsOf(db: Kysely<Schema>, rows: readonly Pair[]) {
  const pairs = [...new Map(rows.map((row) => [pairOf(row), row])).values()];
  const found: (Pair & { readonly scopes: string; readonly grant_id: Uint8Array })[] = [];
  for (let start = 0; start < pairs.length; start += pairsAtOnce) {
    const values = pairs
      .slice(start, start + pairsAtOnce)
      .map(
        ({ client_record_id, identity_provider, principal_name }) =>
          sql`(cast(${client_record_id} as bigint), ${identity_provider}, ${principal_name})`,
      );
    const consents = await db
      .selectFrom('consent')
      .select(['client_record_id', 'identity_provider', 'principal_name', 'subject', 'scopes', 'grant_id'])
      .where(
        sql<boolean>`(client_record_id, identity_provider, principal_name) in (values ${sql.join(values)})`,
      )
      .execute();
    found.push(...consents);
  }
  return found;
}
