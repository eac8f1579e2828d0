import type { AuditEvent, AuditKind } from '../../../model/records/audit-event.ts';
import type { Identity } from '../../../model/resource-owner.ts';

/** Stores the audit log. Only the purge removes events, and no event can be changed. */
export interface AuditEventStore {
  /**
   * Appends changes to records. An event of the kind `logins` is stored with the session, grant or consent that it is about.
   */
  append(events: readonly AuditEvent[]): Promise<void>;
  /** Newest first. */
  list(query: AuditEventQuery): Promise<AuditEvent[]>;
  /** When each of these users last logged in, in epoch milliseconds by name; one who did not since then is left out. */
  lastLogins(query: LastLoginQuery): Promise<ReadonlyMap<string, number>>;
}

export interface LastLoginQuery {
  readonly identityProvider: string;
  readonly names: readonly string[];
  /** Epoch milliseconds: its bound keeps the cost of frequent users low. */
  readonly since: number;
}

export interface AuditEventQuery {
  /** Only events about records of this owner. */
  readonly owner?: Identity;
  /** Only events by this person, or about records of this person. */
  readonly person?: Identity;
  /** Only changes of this record. */
  readonly record?: Pick<AuditEvent, 'recordType' | 'recordId'>;
  /** Default: both. */
  readonly kind?: AuditKind;
  /** Leaves out events whose searched names cannot contain this text, which is in the form of searches. Others can come too. */
  readonly mayContain?: string | undefined;
  /** Only events before the one with this id. */
  readonly before?: string;
  readonly limit: number;
}
