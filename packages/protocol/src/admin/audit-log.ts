import type { AuditEvent, AuditKind } from '../model/audit-event.ts';
import type { AuditEventStore } from '../ports/audit-event-store.ts';
import type { Caller } from './caller.ts';
import { matcher, type Page, type PageRequest, readPage } from './page.ts';

export interface AuditEventFilter {
  /** Part of the name of the record, of the actor or of the client. */
  readonly q?: string | undefined;
  readonly recordType?: string | undefined;
  readonly recordId?: string | undefined;
  /** Default: both. */
  readonly kind?: AuditKind | undefined;
}

/** Reads the audit log: administrators all of it, other callers the events of their own records and their own actions. */
export type AuditLog = (
  caller: Caller,
  filter: AuditEventFilter,
  page: PageRequest<string>,
) => Promise<Page<AuditEvent, string>>;

export function auditLog({ auditEvents }: { readonly auditEvents: AuditEventStore }): AuditLog {
  return (caller, { q, recordType, recordId, kind }, page) => {
    const matches = matcher(q);
    return readPage(page, {
      fetch: (before, limit) =>
        auditEvents.list({
          ...(!caller.isAdministrator && { owner: caller.identity }),
          ...(kind !== undefined && { kind }),
          ...(before !== undefined && { before }),
          limit,
        }),
      positionOf: ({ id }) => id,
      pick(event) {
        const isWanted =
          (recordType === undefined || recordType === event.recordType) &&
          (recordId === undefined || recordId === event.recordId) &&
          matches(event.recordName, event.actor.name, event.clientId ?? '');
        return isWanted ? event : undefined;
      },
    });
  };
}
