import { accountIdentityProvider } from '../model/account.ts';
import type { AuditEvent, AuditKind } from '../model/audit-event.ts';
import type { AccountStore } from '../ports/account-store.ts';
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

/**
 * Reads the audit log: administrators all of it, other callers the events of their own records and their own actions. A
 * user with a local account sees no events from before the account was created, because another user can have had the name.
 */
export type AuditLog = (
  caller: Caller,
  filter: AuditEventFilter,
  page: PageRequest<string>,
) => Promise<Page<AuditEvent, string>>;

export interface AuditLogDependencies {
  readonly auditEvents: AuditEventStore;
  readonly accounts: Pick<AccountStore, 'find'>;
}

export function auditLog({ auditEvents, accounts }: AuditLogDependencies): AuditLog {
  /** Epoch milliseconds: no event from before it is the caller's. */
  const beginOf = async ({ identity, isAdministrator }: Caller): Promise<number> => {
    if (isAdministrator || identity.identityProvider !== accountIdentityProvider) return 0;
    return (await accounts.find(identity.name))?.creationDate ?? 0;
  };

  return async (caller, { q, recordType, recordId, kind }, page) => {
    const matches = matcher(q);
    const begin = await beginOf(caller);
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
          event.time >= begin &&
          (recordType === undefined || recordType === event.recordType) &&
          (recordId === undefined || recordId === event.recordId) &&
          matches(event.recordName, event.actor.name, event.clientId ?? '');
        return isWanted ? event : undefined;
      },
    });
  };
}
