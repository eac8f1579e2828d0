import type { ConsentedEntry, GrantEntry } from '@watchword/protocol';
import { type Kysely, sql } from 'kysely';
import { idFromBytes } from '../../hot/token-id.ts';
import { toPrincipal } from '../../logins/resource-owner-row.ts';
import { together } from '../../queries/placing.ts';
import { parseScopes } from '../../queries/scope-column.ts';
import type { Schema } from '../../schema/schema.ts';

/** A grant, or a remembered consent whose grant is removed, as both tables are read together. */
export interface EntryRow {
  readonly is_grant: number;
  readonly id: Uint8Array;
  readonly client_record_id: number;
  readonly identity_provider: string;
  readonly principal_name: string;
  readonly subject: string;
  readonly scopes: string;
  readonly creation_date: number;
  /** The others are those of a grant. JSON. */
  readonly principal: string | null;
  readonly last_used: number | null;
  readonly expires: number | null;
  readonly revoked_at: number | null;
  readonly refresh_tokens: number | null;
  readonly access_tokens: number | null;
}

/** Which columns of entries are read. Of a place the principal and what other tables have are null. */
export type Columns = 'all' | 'place';

// A union has one type for a column, which no null has by itself.
const noText = sql<string | null>`cast(null as text)`;
const noNumber = sql<number | null>`cast(null as bigint)`;

/** @param client SQL of the record id of the client: that of the table by which the rows are ordered */
export function grantSelection(now: number, columns: Columns, client = 'g.client_record_id') {
  const isRead = columns === 'all';
  const refreshTokens = sql<number | null>`(select count(*) from refresh_token as r
    where r.grant_id = g.id and ${together('r', 'g')} and r.rotated_at is null and r.expires > ${now})`;
  const accessTokens = sql<number | null>`(select count(*) from access_token as t
    where t.grant_id = g.id and ${together('t', 'g')} and (t.expires = 0 or t.expires > ${now}))`;
  return [
    sql<number>`1`.as('is_grant'),
    sql.ref<Uint8Array>('g.id').as('id'),
    sql.ref<number>(client).as('client_record_id'),
    sql.ref<string>('g.identity_provider').as('identity_provider'),
    sql.ref<string>('g.principal_name').as('principal_name'),
    sql.ref<string>('g.subject').as('subject'),
    sql.ref<string>('g.scopes').as('scopes'),
    sql.ref<number>('g.creation_date').as('creation_date'),
    (isRead ? sql.ref<string | null>('g.principal') : noText).as('principal'),
    sql.ref<number | null>('g.last_used').as('last_used'),
    sql.ref<number | null>('g.expires').as('expires'),
    sql.ref<number | null>('g.revoked_at').as('revoked_at'),
    (isRead ? refreshTokens : noNumber).as('refresh_tokens'),
    (isRead ? accessTokens : noNumber).as('access_tokens'),
  ] as const;
}

export function consentSelection(client = 'c.client_record_id') {
  return [
    sql<number>`0`.as('is_grant'),
    sql.ref<Uint8Array>('c.grant_id').as('id'),
    sql.ref<number>(client).as('client_record_id'),
    sql.ref<string>('c.identity_provider').as('identity_provider'),
    sql.ref<string>('c.principal_name').as('principal_name'),
    sql.ref<string>('c.subject').as('subject'),
    sql.ref<string>('c.scopes').as('scopes'),
    sql.ref<number>('c.saved_at').as('creation_date'),
    noText.as('principal'),
    noNumber.as('last_used'),
    noNumber.as('expires'),
    noNumber.as('revoked_at'),
    noNumber.as('refresh_tokens'),
    noNumber.as('access_tokens'),
  ] as const;
}

export function grantEntries(db: Kysely<Schema>, now: number, columns: Columns = 'all') {
  return db.selectFrom('authorization_grant as g').select(grantSelection(now, columns));
}

/** The consents whose grant is removed. */
export function consentEntries(db: Kysely<Schema>) {
  return db.selectFrom('consent as c').select(consentSelection()).where('c.grant_removed', '>', 0);
}

// Databases bound how many values a statement may have.
const pairsAtOnce = 250;

/**
 * Adds what the resource owners consented to for the same clients, and after each grant the consents that were given with it. A
 * consent that is a row itself is not added.
 */
export async function toGrantEntries(
  db: Kysely<Schema>,
  rows: readonly EntryRow[],
  now: number,
): Promise<GrantEntry[]> {
  const consents = Map.groupBy(await consentsOf(db, rows), pairOf);
  const granted = await activeGrantDates(db, rows, now);
  return rows.flatMap((row, index): GrantEntry[] => {
    const ofPair = consents.get(pairOf(row)) ?? [];
    if (row.is_grant === 0) return [consentEntry(row, ofPair, granted.get(keyOf(row.id)))];
    const isActive = row.revoked_at === null && (row.expires === 0 || (row.expires ?? 0) > now);
    const entry: GrantEntry = {
      type: 'grant',
      ...listedFields(row, ofPair),
      isActive,
      principal: toPrincipal(row.principal ?? '{}'),
      scopes: parseScopes(row.scopes),
      lastUsed: row.last_used ?? 0,
      hasRefreshToken: (row.refresh_tokens ?? 0) > 0,
      accessTokens: row.access_tokens ?? 0,
    };
    const next = rows[index + 1];
    if (next?.is_grant === 0 && isSame(next.id, row.id)) return [entry];
    const given = ofPair.filter(({ grant_id }) => isSame(grant_id, row.id));
    const grantDate = isActive ? row.creation_date : undefined;
    return [
      entry,
      ...given.map(({ saved_at }) => consentEntry({ ...row, creation_date: saved_at }, ofPair, grantDate)),
    ];
  });
}

type ConsentEntryRow = Omit<EntryRow, 'scopes'>;

/** @param activeGrantDate creation date of the grant with which it was given, while that is stored and active */
function consentEntry(
  row: ConsentEntryRow,
  ofPair: readonly ConsentOfPair[],
  activeGrantDate: number | undefined,
): ConsentedEntry {
  const isLast = ofPair.every(({ grant_id }) => Buffer.compare(grant_id, row.id) <= 0);
  return {
    type: 'consent',
    ...listedFields(row, ofPair),
    isLast,
    activeGrantDate,
  };
}

function listedFields(row: ConsentEntryRow, ofPair: readonly ConsentOfPair[]) {
  return {
    id: idFromBytes(row.id),
    clientRecordId: row.client_record_id,
    identityProvider: row.identity_provider,
    name: row.principal_name,
    subject: row.subject,
    consentedScopes: [...new Set(ofPair.flatMap(({ scopes }) => parseScopes(scopes)))],
    creationDate: row.creation_date,
  };
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

type Pair = Pick<EntryRow, 'identity_provider' | 'principal_name' | 'subject' | 'client_record_id'>;

interface ConsentOfPair extends Pair {
  readonly scopes: string;
  readonly grant_id: Uint8Array;
  readonly saved_at: number;
}

function pairOf({ identity_provider, principal_name, subject, client_record_id }: Pair): string {
  return JSON.stringify([client_record_id, subject, identity_provider, principal_name]);
}

/** A consent is valid for the name under which it was given, so it is found by the primary key. */
async function consentsOf(db: Kysely<Schema>, rows: readonly Pair[]): Promise<ConsentOfPair[]> {
  const pairs = [...new Map(rows.map((row) => [pairOf(row), row])).values()];
  const found: ConsentOfPair[] = [];
  for (let start = 0; start < pairs.length; start += pairsAtOnce) {
    const values = pairs
      .slice(start, start + pairsAtOnce)
      .map(
        ({ client_record_id, identity_provider, principal_name }) =>
          sql`(cast(${client_record_id} as bigint), ${identity_provider}, ${principal_name})`,
      );
    const consents = await db
      .selectFrom('consent')
      .select(['client_record_id', 'identity_provider', 'principal_name', 'subject'])
      .select(['scopes', 'grant_id', 'saved_at'])
      .where(
        sql<boolean>`(client_record_id, identity_provider, principal_name) in (values ${sql.join(values)})`,
      )
      .execute();
    found.push(...consents);
  }
  return found;
}

/** By the id of the grant, of which a consent can be on another shard. */
async function activeGrantDates(
  db: Kysely<Schema>,
  rows: readonly EntryRow[],
  now: number,
): Promise<ReadonlyMap<string, number>> {
  const ids = rows.filter(({ is_grant }) => is_grant === 0).map(({ id }) => id);
  const dates = new Map<string, number>();
  for (let start = 0; start < ids.length; start += pairsAtOnce) {
    const grants = await db
      .selectFrom('authorization_grant')
      .select(['id', 'creation_date'])
      .where('id', 'in', ids.slice(start, start + pairsAtOnce))
      .where('revoked_at', 'is', null)
      .where((where) => where.or([where('expires', '=', 0), where('expires', '>', now)]))
      .execute();
    for (const { id, creation_date } of grants) dates.set(keyOf(id), creation_date);
  }
  return dates;
}

function keyOf(id: Uint8Array): string {
  return Buffer.from(id).toString('hex');
}
