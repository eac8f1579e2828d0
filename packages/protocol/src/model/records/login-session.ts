import type { ResourceOwner } from '../resource-owner.ts';
import type { AuthenticationEvent } from './authentication-event.ts';

/** A login that is valid for several clients. The cookies have the values, and this record has their digest. */
export interface LoginSession {
  /** UUIDv7 in canonical text form. */
  readonly id: string;
  /** SHA-256 digest, 32 bytes, over the digests of the verifier and of the binding cookie of the browser. */
  readonly verifierHash: Uint8Array;
  /** Name of the authentication module that let the owner in. */
  readonly authenticator: string;
  readonly owner: ResourceOwner;
  readonly authentication: AuthenticationEvent;
  /**
   * Epoch milliseconds: the time at which the module authenticated the owner. The login at an identity provider
   * (`authentication.authenticatedAt`) can be older.
   */
  readonly creationDate: number;
  /** The network address from which the owner logged in; `''` if it is not known. */
  readonly source: string;
  /** Names of the browser and its system, such as "Firefox, Linux"; `''` if they are not known. The browser reports them. */
  readonly device: string;
  /** Epoch milliseconds of the last use that was stored. */
  readonly lastUsed: number;
  /** Epoch milliseconds: when the session ends, also when it is in use. */
  readonly expires: number;
  /**
   * How often access of the owner has ended while the session went on. What was begun at a lesser number gives no access any more
   * ({@link SessionState}).
   */
  readonly ends: number;
}

/**
 * A login session as a request has read it. What the request gives to a client is stored only while the session is still so, and keeps
 * it so until it is stored.
 */
export type SessionState = Pick<LoginSession, 'id' | 'ends'>;
