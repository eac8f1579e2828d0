import type { AuditEvent } from '@watchword/protocol';
import type { Selectable } from 'kysely';
import type { Named } from '../hot/columns.ts';
import { add, type Command } from '../hot/command.ts';
import { statements } from '../hot/statements.ts';
import type { loginEventColumns } from '../hot/tables.ts';
import type { LoginEventTable } from '../schema/history-tables.ts';
import { eventRow, toRecordedEvent } from './event-rows.ts';

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
