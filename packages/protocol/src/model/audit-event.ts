import type { Identity } from './resource-owner.ts';

export type AuditedRecordType =
  | 'resourceServer'
  | 'client'
  | 'accessToken'
  | 'resourceOwner'
  | 'account'
  | 'identityProvider';

export type AuditAction = 'create' | 'update' | 'delete' | 'rotateSecret' | 'revokeTokens' | 'changePassword';

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
