import type { AdministrativeRight } from '../../../model/records/administrative-right.ts';
import type { Identity } from '../../../model/resource-owner.ts';

/** Reads which clients administer. */
export interface RightReader {
  /** In the order of clients and rights. @param clientRecordId only those of this client */
  list(clientRecordId?: number): Promise<AdministrativeRight[]>;
  /** Whether a client has a right that this user gave. What another node changed is known after at most one second, as in the registry. */
  isGiver(user: Identity): Promise<boolean>;
}

/** Which rights end: all to which everything fits that is given. */
export interface EndedRights {
  readonly clientRecordId?: number | undefined;
  readonly right?: string | undefined;
  readonly giver?: Identity | undefined;
  /** Those that users of this identity provider gave. */
  readonly identityProvider?: string | undefined;
}

/** Changes them, within a transaction. */
export interface RightStore extends RightReader {
  /** `false` if the client has the right already: its giver stays. */
  give(right: AdministrativeRight): Promise<boolean>;
  /** Resolves with those that ended. */
  end(selection: EndedRights): Promise<AdministrativeRight[]>;
}
