import type { GrantListStore, GrantScan, GrantScanPosition } from '@watchword/protocol';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import {
  consentEntries,
  consentSelection,
  type EntryRow,
  grantEntries,
  grantSelection,
} from './grant-entries.ts';
import { toGrantEntries } from './grant-entry-rows.ts';
import { idToBytes } from './hot/token-id.ts';
import type { Schema } from './schema.ts';

/** Grants and remembered consents as one list. Both tables have an index for each order in which they are read. */
export function sqlGrantList(db: Kysely<Schema>): GrantListStore {
  return {
    scan: async (scan, now) =>
      toGrantEntries(
        db,
        scan.of === 'resourceServer' ? await ofResourceServer(db, scan, now) : await inOrder(db, scan, now),
        now,
      ),

    async find(id, now) {
      const bytes = idToBytes(id);
      const grants = await grantEntries(db, now).where('g.id', '=', bytes).execute();
      const consents = await consentEntries(db, now).where('c.grant_id', '=', bytes).execute();
      return toGrantEntries(db, [...grants, ...consents], now);
    },
  };
}

type OrderedScan = Exclude<GrantScan, { readonly of: 'resourceServer' }>;

/** A consent has the id of its grant, and comes after it. */
async function inOrder(db: Kysely<Schema>, scan: OrderedScan, now: number): Promise<EntryRow[]> {
  const query = grantEntries(db, now)
    .where(isMeant(scan, 'g'))
    .where(isAfter(scan, sql.ref('g.id'), sql`<`))
    .unionAll(
      consentEntries(db, now)
        .where(isMeant(scan, 'c'))
        .where(isAfter(scan, sql.ref('c.grant_id'), scan.before?.type === 'grant' ? sql`<=` : sql`<`)),
    );
  const ordered = scan.of === 'owner' ? query.orderBy('identity_provider', 'desc') : query;
  return ordered.orderBy('id', 'desc').orderBy('is_grant', 'desc').limit(scan.limit).execute();
}

/** @param table `g` for grants, `c` for consents */
function isMeant(scan: OrderedScan, table: 'g' | 'c'): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const isListed = table === 'g' ? sql`g.revoked_at is null` : sql`true`;
  switch (scan.of) {
    case 'all':
      return sql`true`;
    case 'client':
      return sql`${column('client_record_id')} = ${scan.clientRecordId}`;
    case 'subject':
      return sql`${column('subject')} = ${scan.subject} and ${isListed}`;
    case 'owner':
      return sql`${column('principal_name')} = ${scan.name} and ${isListed}`;
  }
}

function isAfter(
  { of, before }: OrderedScan,
  id: RawBuilder<unknown>,
  operator: RawBuilder<unknown>,
): RawBuilder<boolean> {
  if (before === undefined) return sql`true`;
  const last = idToBytes(before.id);
  return of === 'owner'
    ? sql`(identity_provider, ${id}) ${operator} (${before.identityProvider}, ${last})`
    : sql`${id} ${operator} ${last}`;
}

interface ResourceServerScan {
  readonly resourceServerId: number;
  readonly before?: GrantScanPosition;
  readonly limit: number;
}

/** What is left of the client in which the scan before ended, then the clients before that one. */
async function ofResourceServer(
  db: Kysely<Schema>,
  { resourceServerId, before, limit }: ResourceServerScan,
  now: number,
): Promise<EntryRow[]> {
  const ofClient =
    before === undefined
      ? []
      : await inOrder(db, { of: 'client', clientRecordId: before.clientRecordId, before, limit }, now);
  if (ofClient.length === limit) return ofClient;
  const next = before?.clientRecordId ?? Number.MAX_SAFE_INTEGER;
  const clients = db
    .selectFrom('client as of')
    .where('of.resource_server_id', '=', resourceServerId)
    .where('of.deleted_at', 'is', null)
    .where('of.id', '<', next);
  const others = await clients
    .innerJoin('authorization_grant as g', 'g.client_record_id', 'of.id')
    .select(grantSelection(now, 'of.id'))
    .unionAll(
      clients.innerJoin('consent as c', 'c.client_record_id', 'of.id').select(consentSelection(now, 'of.id')),
    )
    .orderBy('client_record_id', 'desc')
    .orderBy('id', 'desc')
    .orderBy('is_grant', 'desc')
    .limit(limit - ofClient.length)
    .execute();
  return [...ofClient, ...others];
}
