import type { AuditEvent, AuditEventQuery, AuditEventStore, LastLoginQuery } from '@watchword/protocol';
import { type Insertable, type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { idToBytes, leastIdAt } from '../hot/token-id.ts';
import { eventRow, toLoginEvent, toRecordedEvent } from '../logins/event-rows.ts';
import { inParts } from '../queries/in-parts.ts';
import { mayContain } from '../queries/may-contain.ts';
import { fewRows, isIn, newestOf } from '../queries/named-rows.ts';
import type { AuditEventTable } from '../schema/history-tables.ts';
import type { Schema } from '../schema/schema.ts';
import { containing, searchedKeys, searchText } from '../schema/search-columns.ts';

// Databases limit the number of values of a statement.
const rowsPerStatement = 100;

export function sqlAuditEvents(db: Kysely<Schema>): AuditEventStore {
  return {
    async append(events) {
      for (let start = 0; start < events.length; start += rowsPerStatement) {
        const rows = events.slice(start, start + rowsPerStatement).map(toRow);
        await db.insertInto('audit_event').values(rows).execute();
      }
    },

    async list({ kind, ...query }) {
      const [changes, logins] = await Promise.all([
        kind === 'logins' ? [] : listChanges(db, query),
        kind === 'changes' ? [] : listLogins(db, query),
      ]);
      return newest([...changes, ...logins], query.limit);
    },

    lastLogins: (query) => lastLogins(db, query),
  };
}

type Query = Omit<AuditEventQuery, 'kind'>;

/** Each event once: an event by a person about their own record is found twice. */
function newest(events: readonly AuditEvent[], limit: number): AuditEvent[] {
  const byId = new Map(events.map((event) => [event.id, event]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit);
}

/** Events by a person and events about the person are two queries, each served by an index. */
async function listChanges(db: Kysely<Schema>, { person, ...query }: Query): Promise<AuditEvent[]> {
  if (person === undefined) {
    const isOfAll = query.owner === undefined && query.record === undefined;
    return (await (isOfAll ? allChanges(db, query) : changes(db, query)).execute()).map(toEvent);
  }
  const about = changes(db, query)
    .where('owner_name', '=', person.name)
    .where('owner_identity_provider', '=', person.identityProvider);
  const by = changes(db, query)
    .where('actor_name', '=', person.name)
    .where('actor_identity_provider', '=', person.identityProvider);
  return [...(await about.execute()), ...(await by.execute())].map(toEvent);
}

function changes(
  db: Kysely<Schema>,
  { owner, record, mayContain: text, before, limit }: Omit<Query, 'person'>,
) {
  let query = db.selectFrom('audit_event').selectAll().orderBy('id', 'desc').limit(limit);
  if (owner !== undefined) {
    query = query
      .where('owner_name', '=', owner.name)
      .where('owner_identity_provider', '=', owner.identityProvider);
  }
  if (record !== undefined) {
    query = query.where('record_id', '=', record.recordId).where('record_type', '=', record.recordType);
  }
  if (before !== undefined) query = query.where('id', '<', idToBytes(before));
  return text === undefined ? query : query.where(isFound(text));
}

/** A search through all events reads their texts, and of the rows only those that it returns. */
function allChanges(db: Kysely<Schema>, { mayContain: text, ...query }: Omit<Query, 'person'>) {
  if (text === undefined) return changes(db, query);
  const { before, limit } = query;
  const isBefore = before === undefined ? sql`true` : sql`id < ${idToBytes(before)}`;
  const isWanted = sql<boolean>`${isFound(text)} and ${isBefore}`;
  const found = searchedKeys('audit_event', 'id', isWanted, sql`order by id desc limit ${limit}`);
  return changes(db, query).where(sql<boolean>`id in ${found}`);
}

function isFound(text: string) {
  return sql<boolean>`(search_text is null or search_text like ${containing(text)} escape '!')`;
}

async function listLogins(
  db: Kysely<Schema>,
  { owner, person, record, mayContain: text, before, limit }: Query,
): Promise<AuditEvent[]> {
  let query = db.selectFrom('login_event').selectAll().orderBy('id', 'desc').limit(limit);
  const isOfAll = owner === undefined && person === undefined && record === undefined;
  if (isOfAll && text !== undefined) return searchLogins(db, text, before, limit);
  if (text !== undefined) query = query.where(isLoginFound(text));
  for (const user of [owner, person]) {
    if (user === undefined) continue;
    query = query
      .where('principal_name', '=', user.name)
      .where('identity_provider', '=', user.identityProvider);
  }
  if (record !== undefined) {
    query = query.where('record_id', '=', record.recordId).where('record_type', '=', record.recordType);
  }
  if (before !== undefined) query = query.where('id', '<', idToBytes(before));
  return (await query.execute()).map(toLoginEvent);
}

async function lastLogins(
  db: Kysely<Schema>,
  { identityProvider, names, since }: LastLoginQuery,
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const part of inParts(names)) {
    const rows = await db
      .selectFrom('login_event')
      .select('principal_name')
      .select(({ fn }) => fn.max<number>('occurred_at').as('last'))
      .where('principal_name', 'in', part)
      .where('identity_provider', '=', identityProvider)
      .where('event_action', '=', 'login')
      // An id begins with its time.
      .where('id', '>=', leastIdAt(since))
      .groupBy('principal_name')
      .execute();
    for (const { principal_name, last } of rows) found.set(principal_name, last);
  }
  return found;
}

/** Looks for a frequent text among the newest events. For another one, the names of all events are read, in any order. */
async function searchLogins(
  db: Kysely<Schema>,
  text: string,
  before: string | undefined,
  limit: number,
): Promise<AuditEvent[]> {
  const isBefore = before === undefined ? sql<boolean>`true` : sql<boolean>`id < ${idToBytes(before)}`;
  const { isNewest, isAll } = await newestOf(db, 'login_event', isBefore);
  const events = db.selectFrom('login_event').where(isBefore);
  const ordered = events.selectAll().orderBy('id', 'desc').limit(limit);
  const newest = await ordered.where(isNewest('id')).where(isLoginFound(text)).execute();
  if (isAll || newest.length === limit) return newest.map(toLoginEvent);
  const isFound = isLoginFound(text, await othersAmong(db, text, isNewest('id')));
  const ids = await events
    .select('id')
    .where(isFound)
    .limit(fewRows + 1)
    .execute();
  const few = ids.map(({ id }) => id);
  const rows = await ordered.where(few.length > fewRows ? isFound : isIn('id', few)).execute();
  return rows.map(toLoginEvent);
}

// A longer list would cost more than what it saves.
const mostOthers = 20;

/** What is known not to have the text: nearly all events have these. */
interface Others {
  readonly client_id: readonly string[];
  readonly client_name: readonly string[];
}

/** Clients of the newest events, and their names. A client can have had another name before. */
async function othersAmong(db: Kysely<Schema>, text: string, isNewest: RawBuilder<boolean>): Promise<Others> {
  const without = async (column: keyof Others) => {
    const values = db.selectFrom('login_event').select(column).distinct().where(isNewest);
    const others = values.where(sql<boolean>`not ${mayContain(text, [column])}`);
    return (await others.limit(mostOthers).execute()).flatMap((row) => row[column] ?? []);
  };
  return { client_id: await without('client_id'), client_name: await without('client_name') };
}

/** The record of nearly every such event has the name of the user or of the client, which is then compared once. */
function isLoginFound(text: string, others: Others = { client_id: [], client_name: [] }) {
  const isInClient = (column: keyof Others) => {
    const known = others[column];
    const isOpen = known.length === 0 ? sql`true` : sql`${sql.ref(column)} not in (${sql.join(known)})`;
    return sql`(${isOpen} and ${mayContain(text, [column])})`;
  };
  return sql<boolean>`(${mayContain(text, ['principal_name'])}
    or ${isInClient('client_id')} or ${isInClient('client_name')}
    or (record_name <> principal_name and record_name is distinct from client_id and ${mayContain(text, ['record_name'])}))`;
}

/** By which a search finds the event. */
export function auditedText(
  row: Pick<AuditEventTable, 'record_name' | 'actor_name' | 'client_id' | 'client_name'>,
): string {
  return searchText([], [row.record_name, row.actor_name, row.client_id ?? '', row.client_name ?? '']);
}

function toRow(event: AuditEvent): Insertable<AuditEventTable> {
  const { actor, owner, before } = event;
  const row = { ...eventRow(event), actor_name: actor.name };
  return {
    ...row,
    id: idToBytes(event.id),
    actor_identity_provider: actor.identityProvider,
    owner_identity_provider: owner.identityProvider,
    owner_name: owner.name,
    state_before: before === undefined ? null : JSON.stringify(before),
    search_text: auditedText(row),
  };
}

function toEvent(row: Selectable<AuditEventTable>): AuditEvent {
  return {
    ...toRecordedEvent(row),
    actor: { identityProvider: row.actor_identity_provider, name: row.actor_name },
    owner: { identityProvider: row.owner_identity_provider, name: row.owner_name },
    before: row.state_before === null ? undefined : JSON.parse(row.state_before),
  };
}
