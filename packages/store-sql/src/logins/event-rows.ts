import type { AuditEvent } from '@watchword/protocol';
import type { Selectable } from 'kysely';
import { idFromBytes } from '../hot/token-id.ts';
import type { EventColumns } from '../schema/history-tables.ts';

/** The columns that every event of the audit log has; the id as text. */
export function eventRow({ after, ...event }: AuditEvent) {
  return {
    id: event.id,
    occurred_at: event.time,
    event_action: event.action,
    client_id: event.clientId ?? null,
    source_address: event.source,
    record_type: event.recordType,
    record_id: event.recordId,
    record_name: event.recordName,
    state_after: after === undefined ? null : JSON.stringify(after),
  };
}

/** All members of an event except actor, owner and the state before it. */
export function toRecordedEvent(
  row: Selectable<EventColumns>,
): Omit<AuditEvent, 'actor' | 'owner' | 'before'> {
  return {
    id: idFromBytes(row.id),
    time: row.occurred_at,
    action: row.event_action as AuditEvent['action'],
    clientId: row.client_id ?? undefined,
    source: row.source_address,
    recordType: row.record_type as AuditEvent['recordType'],
    recordId: row.record_id,
    recordName: row.record_name,
    after: row.state_after === null ? undefined : JSON.parse(row.state_after),
  };
}
