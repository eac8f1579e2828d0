import type { Identity } from '../resource-owner.ts';

export type AuditedRecordType =
  | 'resourceServer'
  | 'client'
  | 'clientHost'
  | 'initialToken'
  | 'accessToken'
  | 'resourceOwner'
  | 'account'
  | 'invitation'
  | 'confirmation'
  | 'identityProvider'
  | 'loginSession'
  | 'grant'
  | 'signingKey'
  | 'branding'
  | 'database';

export type AuditAction =
  | 'create'
  | 'update'
  | 'delete'
  | 'rotateSecret'
  | 'addSecret'
  | 'changeSecret'
  | 'removeSecret'
  | 'revokeTokens'
  | 'revokeGrants'
  | 'changePassword'
  | 'resetPassword'
  | 'linkProvider'
  | 'unlinkProvider'
  | 'addFactor'
  | 'renameFactor'
  | 'removeFactor'
  | 'useRecoveryCode'
  | 'downloadData'
  | 'giveRight'
  | 'endRight'
  | 'restore'
  | LoginAction;

/** What resource owners do when they log in and grant access. */
export type LoginAction = 'login' | 'logout' | 'grant' | 'withdraw';

/**
 * `changes`: what administrators and record owners did to records. `logins`: {@link LoginAction}, which are many and have a
 * retention of their own.
 */
export type AuditKind = 'changes' | 'logins';

/** One change to a record. It is stored in the transaction of the change and never changed afterwards. */
export interface AuditEvent {
  /** UUIDv7 in canonical text form. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly time: number;
  readonly actor: Identity;
  /** The client that the actor used; `undefined` at the command line. */
  readonly clientId: string | undefined;
  /** The name of that client at that time; absent in an event of an older release. */
  readonly clientName?: string | undefined;
  /** Network address of the actor; `''` for the command line. */
  readonly source: string;
  readonly action: AuditAction;
  readonly recordType: AuditedRecordType;
  readonly recordId: string;
  /** The name of the record: key, clientId, principal name. */
  readonly recordName: string;
  /** Owner of the record at that time. The owner and administrators can read the event. */
  readonly owner: Identity;
  /** In the names of the administration interface, without secrets; of an update only the changed fields. */
  readonly before: RecordState | undefined;
  readonly after: RecordState | undefined;
}

export type RecordState = Readonly<Record<string, unknown>>;
