import type { GrantEntry } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import type { EntryRow } from './grant-entries.ts';
import { idFromBytes } from './hot/token-id.ts';
import type { Schema } from './schema.ts';
import { parseScopes } from './scope-column.ts';

// Databases bound how many values a statement may have.
const subjectsAtOnce = 500;

/** Adds what the resource owners consented to for the same clients, and what else they granted to them. */
export async function toGrantEntries(
  db: Kysely<Schema>,
  rows: readonly EntryRow[],
  now: number,
): Promise<GrantEntry[]> {
  const consents = Map.groupBy(await consentsOf(db, rows), pairOf);
  const alone = rows.filter(({ is_grant }) => is_grant === 0);
  const grants = new Map((await newestGrants(db, alone, now)).map((row) => [pairOf(row), row.newest]));
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
      return { type: 'consent', ...listed, isLast, newestGrant: grants.get(pairOf(row)) };
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

type Pair = Pick<EntryRow, 'subject' | 'client_record_id'>;

function pairOf({ subject, client_record_id }: Pair): string {
  return `${client_record_id} ${subject}`;
}

function consentsOf(db: Kysely<Schema>, rows: readonly Pair[]) {
  return ofSubjects(rows, (subjects) =>
    db
      .selectFrom('consent')
      .select(['subject', 'client_record_id', 'scopes', 'grant_id'])
      .where('subject', 'in', subjects)
      .execute(),
  );
}

function newestGrants(db: Kysely<Schema>, rows: readonly Pair[], now: number) {
  return ofSubjects(rows, (subjects) =>
    db
      .selectFrom('authorization_grant')
      .select(['subject', 'client_record_id'])
      .select(({ fn }) => fn.max('creation_date').as('newest'))
      .where('subject', 'in', subjects)
      .where('revoked_at', 'is', null)
      .where((where) => where.or([where('expires', '=', 0), where('expires', '>', now)]))
      .groupBy(['subject', 'client_record_id'])
      .execute(),
  );
}

async function ofSubjects<Row>(
  rows: readonly Pair[],
  read: (subjects: string[]) => Promise<Row[]>,
): Promise<Row[]> {
  const subjects = [...new Set(rows.map(({ subject }) => subject))];
  const found: Row[] = [];
  for (let start = 0; start < subjects.length; start += subjectsAtOnce) {
    found.push(...(await read(subjects.slice(start, start + subjectsAtOnce))));
  }
  return found;
}
