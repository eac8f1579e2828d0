import type { AuditEvent, AuditEventStore } from '@watchword/protocol';
import type { Kysely, Selectable } from 'kysely';
import type { AuditEventTable, Schema } from './schema.ts';
import { idFromBytes, idToBytes } from './token-id.ts';

// Databases bound how many values a statement may have.
const rowsPerStatement = 100;

export function sqlAuditEvents(db: Kysely<Schema>): AuditEventStore {
  return {
    async append(events) {
      for (let start = 0; start < events.length; start += rowsPerStatement) {
        const rows = events.slice(start, start + rowsPerStatement).map(toRow);
        await db.insertInto('audit_event').values(rows).execute();
      }
    },

    async list({ owner, before, limit }) {
      let query = db.selectFrom('audit_event').selectAll().orderBy('id', 'desc').limit(limit);
      if (owner !== undefined) {
        query = query.where('owner', '=', owner.name).where('owner_authority', '=', owner.authority);
      }
      if (before !== undefined) query = query.where('id', '<', idToBytes(before));
      return (await query.execute()).map(toEvent);
    },
  };
}

function toRow({ actor, owner, before, after, ...event }: AuditEvent) {
  return {
    id: idToBytes(event.id),
    time: event.time,
    actor_authority: actor.authority,
    actor: actor.name,
    client_id: event.clientId ?? null,
    source: event.source,
    action: event.action,
    record_type: event.recordType,
    record_id: event.recordId,
    record_name: event.recordName,
    owner_authority: owner.authority,
    owner: owner.name,
    before: before === undefined ? null : JSON.stringify(before),
    after: after === undefined ? null : JSON.stringify(after),
  };
}

function toEvent(row: Selectable<AuditEventTable>): AuditEvent {
  return {
    id: idFromBytes(row.id),
    time: row.time,
    actor: { authority: row.actor_authority, name: row.actor },
    clientId: row.client_id ?? undefined,
    source: row.source,
    action: row.action as AuditEvent['action'],
    recordType: row.record_type as AuditEvent['recordType'],
    recordId: row.record_id,
    recordName: row.record_name,
    owner: { authority: row.owner_authority, name: row.owner },
    before: row.before === null ? undefined : JSON.parse(row.before),
    after: row.after === null ? undefined : JSON.parse(row.after),
  };
}
