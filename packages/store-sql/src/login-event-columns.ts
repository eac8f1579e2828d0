import type { AuditEvent } from '@watchword/protocol';
import type { Selectable } from 'kysely';
import type { LoginEventTable } from './history-tables.ts';
import { idFromBytes, idToBytes } from './token-id.ts';

/** An event as it travels to the writer thread, in the order of the columns. */
export type LoginEventColumns = readonly [
  id: string,
  time: number,
  action: string,
  authority: string,
  principalName: string,
  clientId: string | null,
  source: string,
  recordType: string,
  recordId: string,
  recordName: string,
  after: string | null,
];

/** What people do is theirs, and they do it themselves: actor and owner are one. */
export function loginEventColumns(event: AuditEvent): LoginEventColumns {
  const { id, time, action, owner, clientId, source, recordType, recordId, recordName, after } = event;
  return [
    id,
    time,
    action,
    owner.authority,
    owner.name,
    clientId ?? null,
    source,
    recordType,
    recordId,
    recordName,
    after === undefined ? null : JSON.stringify(after),
  ];
}

export function loginEventRow(event: AuditEvent): LoginEventTable {
  const [id, time, action, authority, principalName, clientId, source, ...record] = loginEventColumns(event);
  const [recordType, recordId, recordName, after] = record;
  return {
    id: idToBytes(id),
    occurred_at: time,
    event_action: action,
    identity_provider: authority,
    principal_name: principalName,
    client_id: clientId,
    source_address: source,
    record_type: recordType,
    record_id: recordId,
    record_name: recordName,
    state_after: after,
  };
}

export function toLoginEvent(row: Selectable<LoginEventTable>): AuditEvent {
  const person = { authority: row.identity_provider, name: row.principal_name };
  return {
    id: idFromBytes(row.id),
    time: row.occurred_at,
    actor: person,
    clientId: row.client_id ?? undefined,
    source: row.source_address,
    action: row.event_action as AuditEvent['action'],
    recordType: row.record_type as AuditEvent['recordType'],
    recordId: row.record_id,
    recordName: row.record_name,
    owner: person,
    before: undefined,
    after: row.state_after === null ? undefined : JSON.parse(row.state_after),
  };
}
