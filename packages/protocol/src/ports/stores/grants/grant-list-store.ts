import type { Principal } from '../../../model/principal.ts';
import type { Identity } from '../../../model/resource-owner.ts';
import type { Scopes } from '../../../model/scope.ts';

/** Reads grants and remembered consents for administration. */
export interface GrantListStore {
  /**
   * Reads at most `limit` entries in the order of the scan. Ended grants can be among them, so that the cost is bounded
   * whatever has become of them.
   */
  scan(scan: GrantScan, now: number): Promise<GrantEntry[]>;
  /**
   * Like `scan`, but reads only the place of an entry that is not wanted. That is far cheaper, because tokens and consents of
   * the others are not looked up. An entry that is removed meanwhile is skipped too.
   */
  search(scan: GrantScan, isWanted: IsWantedGrant, now: number): Promise<(GrantEntry | SkippedEntry)[]>;
  /** The entries with that id: a grant, a consent that was given with it, or both. */
  find(id: string, now: number): Promise<GrantEntry[]>;
}

/** Which entries are read, each way served by an index, newest first. */
export type GrantScan = {
  /**
   * Leaves out entries whose client and resource owner cannot have this text in their names, which is in the form of searches.
   * Others can come too.
   */
  readonly mayContain?: string | undefined;
  /** Only entries that are for one of these resource servers, which are not that of the client. */
  readonly targets?: readonly number[] | undefined;
  readonly limit: number;
  /** The last entry of the scan before. */
  readonly before?: GrantScanPosition;
} & (
  | { readonly of: 'all' }
  | { readonly of: 'client'; readonly clientRecordId: number }
  /** Client by client, that with the greatest record id first. */
  | { readonly of: 'resourceServer'; readonly resourceServerId: number }
  /** In the same order; a few hundred. */
  | { readonly of: 'clients'; readonly clientRecordIds: readonly number[] }
  | { readonly of: 'subject'; readonly subject: string }
  /** All resource owners of that name, by identity provider. */
  | { readonly of: 'owner'; readonly name: string }
);

export type GrantScanPosition = Pick<GrantEntry, 'id' | 'clientRecordId' | 'identityProvider'> & {
  readonly type: (GrantEntry | SkippedEntry)['type'];
};

export type IsWantedGrant = (entry: Pick<GrantEntry, 'name' | 'clientRecordId'>) => Promise<boolean>;

/** The place of what a search does not want: nothing with its id is wanted. */
export interface SkippedEntry extends GrantScanPosition {
  readonly type: 'skipped';
}

/** A grant, or a consent that is remembered. */
export type GrantEntry = GrantedEntry | ConsentedEntry;

interface ListedEntry extends Identity {
  /** UUIDv7 of the grant; of a consent that of the grant with which it was given. */
  readonly id: string;
  readonly clientRecordId: number;
  readonly subject: string;
  /** Everything that the resource owner consented to for the client under this name, at any redirect URI. */
  readonly consentedScopes: Scopes;
  /** Epoch milliseconds: when it was granted, or when the consent was saved. */
  readonly creationDate: number;
}

export interface GrantedEntry extends ListedEntry {
  readonly type: 'grant';
  /** Not revoked, and a code or token that belongs to the grant can be valid. */
  readonly isActive: boolean;
  readonly principal: Principal;
  readonly scopes: Scopes;
  /** Epoch milliseconds: when a token was last issued under it. */
  readonly lastUsed: number;
  readonly hasRefreshToken: boolean;
  /** Access tokens that have not expired. */
  readonly accessTokens: number;
}

export interface ConsentedEntry extends ListedEntry {
  readonly type: 'consent';
  /** Of several consents of the resource owner for the client, the last one represents all. */
  readonly isLast: boolean;
  /** Epoch milliseconds: creation date of the grant with which it was given, while that is active. */
  readonly activeGrantDate: number | undefined;
}

/**
 * Ends grants in a transaction. What a login session of their subjects is giving to a client at the same time is stored before and ends
 * too, or is not stored ({@link GrantContext}).
 */
export interface GrantEndStore {
  /** Revokes these grants, and forgets the consents of each subject for each client. */
  end(
    grants: readonly Pick<GrantEntry, 'id' | 'clientRecordId' | 'subject'>[],
    now: number,
  ): Promise<EndedGrants>;
  /** Revokes these grants. What their owners consented to is still remembered. Resolves with the number of those that were active. */
  revoke(ids: readonly string[], now: number): Promise<number>;
  /** Revokes every grant of the subjects for the client, and forgets their consents. */
  endAccess(access: readonly EndOfAccess[], now: number): Promise<EndedGrants>;
  /**
   * Takes resource servers that are not those of the clients out of grants, and out of what was consented to. Tokens that were issued give
   * nothing there any more, and the list of revocations of these resource servers alone has the grant.
   */
  endParts(parts: readonly EndOfPart[], now: number): Promise<EndedGrants>;
}

export interface EndOfPart extends EndOfAccess {
  /** Record ids. */
  readonly resourceServerIds: readonly number[];
  /** Only this grant. */
  readonly grantId?: string | undefined;
}

export interface EndOfAccess {
  readonly subjects: readonly string[];
  readonly clientRecordId: number;
  /** Epoch milliseconds: only grants that were made at this time or later. */
  readonly since?: number | undefined;
}

export interface EndedGrants {
  /** Those that were active. */
  readonly grants: number;
  readonly consents: number;
}
