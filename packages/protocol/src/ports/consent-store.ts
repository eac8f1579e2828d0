import type { Identity } from '../model/resource-owner.ts';
import type { Scopes } from '../model/scope.ts';

/** What resource owners need not be asked again. */
export interface ConsentStore {
  /** The scopes that the owner agreed to; none when never asked, or withdrawn. */
  find(key: ConsentKey): Promise<Scopes>;
  /**
   * Replaces what is remembered under the key.
   *
   * @param grantId then only while there is this grant, and it is not revoked
   */
  save(key: ConsentKey, scopes: Scopes, now: number, grantId?: string): Promise<void>;
}

/**
 * A consent is valid for one client at one redirect URI: another redirect URI can belong to another application. There is one for
 * each name at an identity provider, and it is found for the subject alone that gave it.
 */
export interface ConsentKey {
  readonly owner: Identity;
  /** Subject of the owner. */
  readonly subject: string;
  readonly clientRecordId: number;
  readonly redirectUri: string;
}
