import type { GrantEntry, GrantListStore, GrantScan, SkippedEntry } from '@watchword/protocol';
import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { idToBytes } from '../../hot/token-id.ts';
import { mayContain } from '../../queries/may-contain.ts';
import {
  fewRows,
  isIn,
  isNamed,
  isOfNamed,
  type NamedIds,
  namedIds,
  newestOf,
} from '../../queries/named-rows.ts';
import { isForOneOf } from '../../queries/scope-column.ts';
import type { Schema } from '../../schema/schema.ts';
import {
  type Columns,
  consentEntries,
  consentSelection,
  type EntryRow,
  grantEntries,
  grantSelection,
  toGrantEntries,
} from './grant-entries.ts';
import { wantedEntries } from './grant-search.ts';

/**
 * Grants and remembered consents as one list. Grants, and consents whose grant is removed, have an index for each order in which
 * they are read. The other consents are found by their grants.
 */
export function sqlGrantList(db: Kysely<Schema>): GrantListStore {
  return {
    scan: (scan, now) =>
      read(db, scan, now, { columns: 'all', toEntries: (rows) => toGrantEntries(db, rows, now) }),

    search: (scan, isWanted, now) =>
      read(db, scan, now, {
        columns: 'place',
        toEntries: (rows) => wantedEntries(db, rows, isWanted, now),
      }),

    async find(id, now) {
      const bytes = idToBytes(id);
      const grants = await grantEntries(db, now).where('g.id', '=', bytes).execute();
      const consents = await consentEntries(db).where('c.grant_id', '=', bytes).execute();
      return toGrantEntries(db, [...grants, ...consents], now);
    },
  };
}

/** How rows become entries, in their order. */
interface Reading<Entry> {
  readonly columns: Columns;
  toEntries(rows: readonly EntryRow[]): Promise<Entry[]>;
}

function read<Entry extends GrantEntry | SkippedEntry>(
  db: Kysely<Schema>,
  scan: GrantScan,
  now: number,
  reading: Reading<Entry>,
): Promise<Entry[]> {
  return scan.of === 'resourceServer' || scan.of === 'clients'
    ? clientByClient(db, scan, now, reading)
    : inOrder(db, scan, now, reading);
}

type ClientsScan = Extract<GrantScan, { readonly of: 'resourceServer' | 'clients' }>;
type OrderedScan = Exclude<GrantScan, ClientsScan>;

/** A consent has the id of its grant, and comes after it. */
async function inOrder<Entry extends GrantEntry | SkippedEntry>(
  db: Kysely<Schema>,
  scan: OrderedScan,
  now: number,
  { columns, toEntries }: Reading<Entry>,
): Promise<Entry[]> {
  const { before, limit } = scan;
  // A grant that was the last entry is read again, because its consents come after it.
  const isReadAgain = before?.type === 'grant';
  const most = isReadAgain ? limit + 1 : limit;
  const rowsOf: RowsOf = (isMeant) => orderedRows(db, scan, now, columns, most, isMeant);
  const rows = (await amongNewest(db, scan, most, rowsOf)) ?? (await rowsOf(await isMeantBy(db, scan)));
  const entries = await toEntries(rows);
  const isFirstAgain = isReadAgain && entries[0]?.type === 'grant' && entries[0].id === before.id;
  return entries.slice(Number(isFirstAgain)).slice(0, limit);
}

/** A condition on rows of a table: `g` are grants, `c` consents. */
type Condition = (table: 'g' | 'c') => RawBuilder<boolean>;

type RowsOf = (isMeant: Condition) => Promise<EntryRow[]>;

function orderedRows(
  db: Kysely<Schema>,
  scan: OrderedScan,
  now: number,
  columns: Columns,
  most: number,
  isMeant: Condition,
): Promise<EntryRow[]> {
  const part = firstRows(db, scan.of === 'owner' ? ['identity_provider', 'id'] : ['id'], most);
  let parts = part(
    consentEntries(db)
      .where(isMeant('c'))
      .where(isAfter(scan, sql.ref('c.grant_id'))),
  );
  for (const isOfIndex of indexedGrants(scan)) {
    const grants = grantEntries(db, now, columns).where(isMeant('g')).where(isOfIndex);
    parts = parts.unionAll(part(grants.where(isAfter(scan, sql.ref('g.id')))));
  }
  const ordered = scan.of === 'owner' ? parts.orderBy('identity_provider', 'desc') : parts;
  return ordered.orderBy('id', 'desc').orderBy('is_grant', 'desc').limit(most).execute();
}

/** What a search finds in the entries of the newest grants; `undefined` if it must look further. */
async function amongNewest(
  db: Kysely<Schema>,
  scan: OrderedScan,
  most: number,
  rowsOf: RowsOf,
): Promise<EntryRow[] | undefined> {
  const { of, mayContain: text } = scan;
  if (of !== 'all' || text === undefined) return undefined;
  const { isNewest, isAll } = await newestOf(db, 'authorization_grant', isAfter(scan, sql.ref('id')));
  const rows = await rowsOf((table) => {
    const names = columnsOf(table);
    return sql`(${isNewest(names.grant)} and ${isNamed(text, names)})`;
  });
  return isAll || rows.length === most ? rows : undefined;
}

/**
 * Makes parts of a union that end at the limit themselves. Of a part without a limit PostgreSQL reads all rows, counts the tokens of each, and
 * sorts them.
 *
 * @param order columns, the greatest value first
 */
function firstRows(db: Kysely<Schema>, order: readonly (keyof EntryRow)[], limit: number) {
  return <DB, Tables extends keyof DB>(rows: SelectQueryBuilder<DB, Tables, EntryRow>) => {
    const ordered = order.reduce((query, column) => query.orderBy(sql.ref(column), 'desc'), rows);
    return db.selectFrom(ordered.limit(limit).as('part')).selectAll();
  };
}

function columnsOf(table: 'g' | 'c') {
  const grant = table === 'g' ? 'g.id' : 'c.grant_id';
  return { client: `${table}.client_record_id`, owner: `${table}.principal_name`, grant };
}

async function isMeantBy(db: Kysely<Schema>, scan: OrderedScan): Promise<Condition> {
  const { mayContain: text } = scan;
  if (text === undefined) return (table) => isOfScan(scan, table);
  if (scan.of !== 'all') {
    return (table) =>
      sql<boolean>`(${isOfScan(scan, table)} and ${isOfNamed(undefined, text, columnsOf(table))})`;
  }
  const found = await namedIds(db, text);
  const ids = found && (await grantIds(db, found));
  return (table) => {
    if (table === 'g') return ids === undefined ? isOfNamed(found, text, columnsOf('g')) : isIn('g.id', ids);
    if (found === undefined) return isOfNamed(found, text, columnsOf('c'));
    // The owner of a consent whose grant is removed is named in the consent alone.
    const isOfOwner = mayContain(text, ['c.principal_name']);
    return sql<boolean>`(${isOfOwner} or ${isIn('c.client_record_id', found.clients)})`;
  };
}

/** `undefined` if they are not few. */
async function grantIds(
  db: Kysely<Schema>,
  { clients, grants }: NamedIds,
): Promise<readonly Uint8Array[] | undefined> {
  if (clients.length === 0) return grants;
  const ofClients = db
    .selectFrom('authorization_grant')
    .select('id')
    .where('client_record_id', 'in', clients)
    .limit(fewRows + 1);
  const found = (await ofClients.execute()).map(({ id }) => id);
  return found.length > fewRows ? undefined : [...grants, ...found];
}

function isOfScan(scan: OrderedScan, table: 'g' | 'c'): RawBuilder<boolean> {
  return sql`${isOfRange(scan, table)} and ${isForOneOf(scan.targets, table)}`;
}

function isOfRange(scan: OrderedScan, table: 'g' | 'c'): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  switch (scan.of) {
    case 'all':
      return sql`true`;
    case 'client':
      return sql`${column('client_record_id')} = ${scan.clientRecordId}`;
    case 'subject':
      return sql`${column('subject')} = ${scan.subject}`;
    case 'owner':
      return sql`${column('principal_name')} = ${scan.name}`;
  }
}

/** The conditions of the indexes that together have all grants: those by owner and subject are apart for revoked grants. */
function indexedGrants({ of }: OrderedScan): readonly RawBuilder<boolean>[] {
  if (of === 'all' || of === 'client') return [sql`true`];
  return [sql`g.revoked_at is null`, sql`g.revoked_at is not null`];
}

/** Also whether it is the grant that was the last entry. */
function isAfter({ of, before }: OrderedScan, id: RawBuilder<unknown>): RawBuilder<boolean> {
  if (before === undefined) return sql`true`;
  const operator = before.type === 'grant' ? sql`<=` : sql`<`;
  const last = idToBytes(before.id);
  return of === 'owner'
    ? sql`(identity_provider, ${id}) ${operator} (${before.identityProvider}, ${last})`
    : sql`${id} ${operator} ${last}`;
}

/** What is left of the client in which the scan before ended, then the clients before that one. */
async function clientByClient<Entry extends GrantEntry | SkippedEntry>(
  db: Kysely<Schema>,
  scan: ClientsScan,
  now: number,
  reading: Reading<Entry>,
): Promise<Entry[]> {
  const { targets, before, limit } = scan;
  const ofClient =
    before === undefined
      ? []
      : await inOrder(
          db,
          { of: 'client', clientRecordId: before.clientRecordId, targets, before, limit },
          now,
          reading,
        );
  if (ofClient.length === limit) return ofClient;
  const next = before?.clientRecordId ?? Number.MAX_SAFE_INTEGER;
  const clients = db
    .selectFrom('client as of')
    .where(
      scan.of === 'clients'
        ? isIn('of.id', scan.clientRecordIds)
        : sql<boolean>`of.resource_server_id = ${scan.resourceServerId}`,
    )
    .where('of.deleted_at', 'is', null)
    .where('of.id', '<', next);
  const most = limit - ofClient.length;
  const part = firstRows(db, ['client_record_id', 'id'], most);
  const grants = clients
    .innerJoin('authorization_grant as g', 'g.client_record_id', 'of.id')
    .select(grantSelection(now, reading.columns, 'of.id'))
    .where(isForOneOf(targets, 'g'));
  const consents = clients
    .innerJoin('consent as c', 'c.client_record_id', 'of.id')
    .select(consentSelection('of.id'))
    .where(isForOneOf(targets, 'c'))
    .where('c.grant_removed', '>', 0);
  const rows = await part(grants)
    .unionAll(part(consents))
    .orderBy('client_record_id', 'desc')
    .orderBy('id', 'desc')
    .orderBy('is_grant', 'desc')
    .limit(most)
    .execute();
  return [...ofClient, ...(await reading.toEntries(rows))].slice(0, limit);
}
