import type { AuditEvent } from '../../../model/records/audit-event.ts';
import type { LoginSession } from '../../../model/records/login-session.ts';
import type { Identity } from '../../../model/resource-owner.ts';

/** Stores login sessions. */
export interface LoginSessionStore {
  /**
   * Stores the session, in place of one of the same subject with its id. `false`, and nothing is stored, if another subject has that.
   *
   * @param event the audit event, in the same transaction
   */
  insert(session: LoginSession, event?: AuditEvent): Promise<boolean>;
  /**
   * Stores the session in place of what it was. `false`, and nothing is stored, if it has ended, or access of its owner (`ends`), since it was
   * read.
   *
   * @param event the audit event, in the same transaction
   */
  raise(session: LoginSession, event?: AuditEvent): Promise<boolean>;
  find(id: string): Promise<LoginSession | undefined>;
  /** Newest first, also sessions that have ended and that the purge has not removed. */
  list(query: LoginSessionQuery): Promise<LoginSession[]>;
  /** The ids of sessions of these users in which the client was granted access, as far as the grants are stored, revoked ones too. */
  listGranted(clientRecordId: number, users: readonly Identity[]): Promise<ReadonlySet<string>>;
  /** Stores that the session was used. */
  touch(id: string, now: number): Promise<void>;
  /** Its clients become logout deliveries. `false`, and nothing is stored, if there is no such session. */
  delete(id: string, end: SessionEnd): Promise<boolean>;
}

export interface SessionEnd {
  /** Epoch milliseconds. */
  readonly now: number;
  /** The audit event, in the same transaction. */
  readonly event?: AuditEvent | undefined;
  /** The session goes on as another one, so its clients learn nothing and stay stored. */
  readonly goesOn?: boolean;
}

export interface LoginSessionQuery {
  /** Only sessions of this user. */
  readonly owner?: Identity;
  /** Only sessions of the user with this subject, under whatever name. */
  readonly subject?: string;
  /** Epoch milliseconds: leaves out sessions that were stored before. */
  readonly since?: number | undefined;
  /** Only sessions before the one with this id. */
  readonly before?: string;
  readonly limit: number;
}
