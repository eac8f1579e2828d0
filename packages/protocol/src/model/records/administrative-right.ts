import type { Identity } from '../resource-owner.ts';

/** What a client that acts for itself can administer beside its own records. */
export interface AdministrativeRight {
  readonly clientRecordId: number;
  /** Such as `accounts:write`; one that a newer release gave can be unknown here. */
  readonly right: string;
  /** The administrator who gave it. It ends when they are no longer one. */
  readonly giver: Identity;
  /** Epoch milliseconds. */
  readonly creationDate: number;
}
