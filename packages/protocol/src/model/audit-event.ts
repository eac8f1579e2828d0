import type { Identity } from './resource-owner.ts';

export type AuditedRecordType =
  | 'resourceServer'
  | 'client'
  | 'accessToken'
  | 'resourceOwner'
  | 'account'
  | 'identityProvider'
  | 'loginSession'
  | 'grant'
  | 'database';

export type AuditAction =
  | 'create'
  | 'update'
  | 'delete'
  | 'rotateSecret'
  | 'revokeTokens'
  | 'changePassword'
  | 'restore'
  | LoginAction;

/** What people do when they log in and grant access. */
export type LoginAction = 'login' | 'logout' | 'grant' | 'withdraw';

/**
 * `changes`: what administrators and owners did to records. `logins`: {@link LoginAction}, which are many, and kept for
 * another time.
 */
export type AuditKind = 'changes' | 'logins';

/** One change that somebody made to a record: written together with it, never changed afterwards. */
export interface AuditEvent {
  /** UUIDv7 in canonical text form. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly time: number;
  readonly actor: Identity;
  /** The client through which the actor came; `undefined` at the command line. */
  readonly clientId: string | undefined;
  /** Network address that the change came from; `''` at the command line. */
  readonly source: string;
  readonly action: AuditAction;
  readonly recordType: AuditedRecordType;
  readonly recordId: string;
  /** What people call the record: key, clientId, principal name. */
  readonly recordName: string;
  /** Whose record it was at that time; besides administrators, its owner may read the event. */
  readonly owner: Identity;
  /** In the names of the administration interface, without secrets; of an update what changed by it. */
  readonly before: RecordState | undefined;
  readonly after: RecordState | undefined;
}

export type RecordState = Readonly<Record<string, unknown>>;
