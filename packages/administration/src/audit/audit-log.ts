import {
  type AccountStore,
  type AuditEvent,
  type AuditEventQuery,
  type AuditEventStore,
  type AuditedRecordType,
  type AuditKind,
  accountIdentityProvider,
  type Identity,
  isSameIdentity,
  type RecordState,
} from '@watchword/protocol';
import { type Caller, systemCaller } from '../callers/caller.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';
import { type Page, type PageRequest, readPage, searchFor } from '../lists/page.ts';

export interface AuditEventFilter {
  /** Part of the name of the record, of the actor or of the client. */
  readonly q?: string | undefined;
  /** Part of the name of the actor. */
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly recordType?: string | undefined;
  readonly recordId?: string | undefined;
  /** Events by this person, or about records of this person. */
  readonly person?: Identity | undefined;
  /** Events of requests that used this client, and changes of it. */
  readonly clientId?: string | undefined;
  /** Epoch milliseconds: only events of this time or later. */
  readonly since?: number | undefined;
  /** Epoch milliseconds: only events before this time. */
  readonly until?: number | undefined;
  /** Default: both. */
  readonly kind?: AuditKind | undefined;
}

// Nodes have other clocks, so that an event can come a little after one with a later time.
const clockMargin = 600_000;

/**
 * Reads the audit log: administrators all of it, other callers the events of their own records and their own actions. A
 * user with a local account sees no events from before the account was created, because another user can have had the name.
 */
export type AuditLog = (
  caller: Caller,
  filter: AuditEventFilter,
  page: PageRequest<string>,
) => Promise<Page<AuditEvent, string>>;

interface AuditLogDependencies {
  readonly auditEvents: AuditEventStore;
  readonly accounts: Pick<AccountStore, 'find'>;
}

export function auditLog({ auditEvents, accounts }: AuditLogDependencies): AuditLog {
  /** Epoch milliseconds: no event from before it is the caller's. */
  const beginOf = async ({ identity, isAdministrator }: Caller): Promise<number> => {
    if (isAdministrator || identity.identityProvider !== accountIdentityProvider) return 0;
    return (await accounts.find(identity.name))?.creationDate ?? 0;
  };

  return async (caller, filter, page) => {
    const { q, action, recordType, recordId, person, clientId, until = Number.POSITIVE_INFINITY } = filter;
    const { mayContain, matches } = searchFor(q);
    const byActor = searchFor(filter.actor);
    const indexed = indexedFilter(caller, filter);
    const begin = Math.max(await beginOf(caller), filter.since ?? 0);
    return readPage(
      { ...page, after: page.after ?? idAfter(until) },
      {
        async fetch(before, limit) {
          const events = await auditEvents.list({
            ...indexed,
            // The searched text of an event has the name of its actor too.
            mayContain: mayContain ?? byActor.mayContain,
            ...(before !== undefined && { before }),
            limit,
          });
          // Newest first: what follows an event from long before the first wanted one is not read.
          return events.filter(({ time }) => time >= begin - clockMargin);
        },
        positionOf: ({ id }) => id,
        pick(event) {
          const isWanted =
            event.time >= begin &&
            event.time < until &&
            (action === undefined || action === event.action) &&
            byActor.matches(event.actor.name) &&
            (clientId === undefined || isAboutClient(event, clientId)) &&
            (recordType === undefined || recordType === event.recordType) &&
            (recordId === undefined || recordId === event.recordId) &&
            (person === undefined ||
              isSameIdentity(person, event.actor) ||
              isSameIdentity(person, event.owner)) &&
            matches(event.recordName, event.actor.name, event.clientId ?? '', event.clientName ?? '');
          return isWanted ? shownTo(caller, event) : undefined;
        },
      },
    );
  };
}

/** An id that follows those of all events before this time, so that what is newer is not read; `undefined` if no id does. */
function idAfter(time: number): string | undefined {
  const digits = Math.min(time + clockMargin, 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0');
  return Number.isFinite(time)
    ? `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`
    : undefined;
}

function isAboutClient(event: AuditEvent, clientId: string): boolean {
  return event.clientId === clientId || (event.recordType === 'client' && event.recordName === clientId);
}

/** A user sees that an administrator changed the own account, and not from which network address. */
function shownTo({ isAdministrator, identity }: Caller, event: AuditEvent): AuditEvent {
  return isAdministrator || isSameIdentity(identity, event.actor) ? event : { ...event, source: '' };
}

/** The records of logins, logouts, grants and withdrawals. There is no index of these. */
const ofLogins: readonly string[] = ['loginSession', 'grant'];

/** The part of the filter for which the store has an index. */
function indexedFilter(
  { isAdministrator, identity }: Caller,
  { kind, recordType, recordId, person }: AuditEventFilter,
): Pick<AuditEventQuery, 'owner' | 'kind' | 'person' | 'record'> {
  const ofKind = kind !== undefined && { kind };
  if (!isAdministrator) return { owner: identity, ...ofKind };
  if (person !== undefined) return { person, ...ofKind };
  if (
    kind === 'logins' ||
    recordType === undefined ||
    recordId === undefined ||
    ofLogins.includes(recordType)
  )
    return { ...ofKind };
  return { kind: 'changes', record: { recordType: recordType as AuditedRecordType, recordId } };
}

/** Records in the audit log of a restored database that it was restored. The event belongs to the server itself. */
export function auditRestore(
  caller: Caller,
  deps: Pick<AdministrationDependencies, 'transact' | 'clock' | 'random' | 'audited'>,
  backup: string,
  after: RecordState,
): Promise<void> {
  const of = { recordType: 'database', recordId: backup, recordName: backup } as const;
  return changeRecords(caller, deps, async () => ({
    value: undefined,
    changes: [{ action: 'restore', ...of, owner: systemCaller.identity, after }],
  }));
}
