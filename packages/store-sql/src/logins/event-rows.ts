import type { AuditEvent } from '@watchword/protocol';
import type { Selectable } from 'kysely';
import type { Named } from '../hot/columns.ts';
import { add, type Command } from '../hot/command.ts';
import { statements } from '../hot/statements.ts';
import type { loginEventColumns } from '../hot/tables.ts';
import { idFromBytes } from '../hot/token-id.ts';
import type { EventColumns, LoginEventTable } from '../schema/history-tables.ts';

/** The columns that every event of the audit log has; the id as text. */
export function eventRow({ after, ...event }: AuditEvent) {
  return {
    id: event.id,
    occurred_at: event.time,
    event_action: event.action,
    client_id: event.clientId ?? null,
    client_name: event.clientName ?? null,
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
    ...(row.client_name !== null && { clientName: row.client_name }),
    source: row.source_address,
    recordType: row.record_type as AuditEvent['recordType'],
    recordId: row.record_id,
    recordName: row.record_name,
    after: row.state_after === null ? undefined : JSON.parse(row.state_after),
  };
}

/** In an event of a login, a logout, a grant or a withdrawal, actor and owner are the same user. */
export function loginEventRow(event: AuditEvent): Named<typeof loginEventColumns> {
  const { identityProvider, name } = event.owner;
  return { ...eventRow(event), identity_provider: identityProvider, principal_name: name };
}

/** Stores the event, if there is one, as the last part of the command. */
export function addLoginEvent(command: Command, event: AuditEvent | undefined): void {
  if (event !== undefined) add(command, statements.insertLoginEvent, loginEventRow(event));
}

export function toLoginEvent(row: Selectable<LoginEventTable>): AuditEvent {
  const user = { identityProvider: row.identity_provider, name: row.principal_name };
  return { ...toRecordedEvent(row), actor: user, owner: user, before: undefined };
}
