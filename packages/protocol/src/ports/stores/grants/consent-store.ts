import type { Identity } from '../../../model/resource-owner.ts';
import type { Scopes } from '../../../model/scope.ts';

/** Stores the consented scopes of resource owners, so that they are not asked again. */
export interface ConsentStore {
  /** `undefined` if the owner was never asked or has withdrawn the consent. */
  find(key: ConsentKey): Promise<StoredConsent | undefined>;
  /**
   * Replaces the consent of the key. `false`, and nothing is stored, if it is not the one that the new one replaces.
   *
   * @param grantId the grant with which the consent was given: the consent is stored only if this grant is stored and not
   *   revoked
   */
  save(consent: GivenConsent, grantId: string): Promise<boolean>;
  /** What the subject consented to, at most 1000. */
  listBySubject(subject: string): Promise<RememberedConsent[]>;
}

export interface StoredConsent {
  readonly scopes: Scopes;
  /** The grant with which it was given. Each consent has another one. */
  readonly grantId: string;
}

/** A consent that is to be remembered. */
export interface GivenConsent {
  readonly key: ConsentKey;
  readonly scopes: Scopes;
  /** The grant of the consent that it replaces. Default: there is none. */
  readonly replaces?: string | undefined;
  /** Epoch milliseconds. */
  readonly savedAt: number;
}

/** A consent for one client at one redirect URI. */
export interface RememberedConsent {
  readonly clientRecordId: number;
  readonly scopes: Scopes;
  /** Epoch milliseconds. */
  readonly savedAt: number;
}

/**
 * A consent is valid for one client at one redirect URI: another redirect URI can belong to another application. There is
 * one for each name at an identity provider, and it is valid only for the subject that gave it.
 */
export interface ConsentKey {
  readonly owner: Identity;
  /** Subject of the owner. */
  readonly subject: string;
  readonly clientRecordId: number;
  readonly redirectUri: string;
}

/** The one answer to a consent page. */
export interface ConsentAnswer {
  /** UUIDv7 in canonical text form, sealed in the page. If a code is the answer, the code has the same id. */
  readonly id: string;
  /** Epoch milliseconds: the page cannot be submitted after this time. */
  readonly expires: number;
}

/** Stores which consent pages were answered. An answer with a code is stored by its code, any other answer here. */
export interface ConsentAnswerStore {
  isGiven(id: string): Promise<boolean>;
  /**
   * Stores an answer that has no code. `false`, and nothing is changed, if there was an answer before. One statement decides.
   * The answer is stored at least until it expires.
   */
  note(answer: ConsentAnswer): Promise<boolean>;
}
