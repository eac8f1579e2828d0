import type { AuditEvent, AuditEventQuery, AuditEventStore } from '@watchword/protocol';
import type { Insertable, Kysely, Selectable } from 'kysely';
import { eventRow, toRecordedEvent } from './event-rows.ts';
import type { AuditEventTable } from './history-tables.ts';
import { idToBytes } from './hot/token-id.ts';
import { toLoginEvent } from './login-event-rows.ts';
import type { Schema } from './schema.ts';

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
      const changes = kind === 'logins' ? [] : await listChanges(db, query);
      const logins = kind === 'changes' ? [] : await listLogins(db, query);
      if (changes.length === 0 || logins.length === 0) return [...changes, ...logins];
      return [...changes, ...logins].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, query.limit);
    },
  };
}

type Query = Omit<AuditEventQuery, 'kind'>;

async function listChanges(db: Kysely<Schema>, { owner, before, limit }: Query): Promise<AuditEvent[]> {
  let query = db.selectFrom('audit_event').selectAll().orderBy('id', 'desc').limit(limit);
  if (owner !== undefined) {
    query = query
      .where('owner_name', '=', owner.name)
      .where('owner_identity_provider', '=', owner.identityProvider);
  }
  if (before !== undefined) query = query.where('id', '<', idToBytes(before));
  return (await query.execute()).map(toEvent);
}

async function listLogins(db: Kysely<Schema>, { owner, before, limit }: Query): Promise<AuditEvent[]> {
  let query = db.selectFrom('login_event').selectAll().orderBy('id', 'desc').limit(limit);
  if (owner !== undefined) {
    query = query
      .where('principal_name', '=', owner.name)
      .where('identity_provider', '=', owner.identityProvider);
  }
  if (before !== undefined) query = query.where('id', '<', idToBytes(before));
  return (await query.execute()).map(toLoginEvent);
}

function toRow(event: AuditEvent): Insertable<AuditEventTable> {
  const { actor, owner, before } = event;
  return {
    ...eventRow(event),
    id: idToBytes(event.id),
    actor_identity_provider: actor.identityProvider,
    actor_name: actor.name,
    owner_identity_provider: owner.identityProvider,
    owner_name: owner.name,
    state_before: before === undefined ? null : JSON.stringify(before),
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
