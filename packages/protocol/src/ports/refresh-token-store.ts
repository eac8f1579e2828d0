import type { Grant } from '../model/grant.ts';
import type { RefreshToken } from '../model/refresh-token.ts';
import type { TokenPair } from './grant-store.ts';

/** Stores refresh tokens, from their issue until the purge removes them. */
export interface RefreshTokenStore {
  /** The token with that id, rotated ones and expired ones included; not one whose grant is revoked or gone. */
  find(id: string): Promise<FoundRefreshToken | undefined>;
  /**
   * Replaces the token by a new pair, in one transaction. Of any number of callers at once exactly one succeeds.
   * `false`, and nothing stored, when it was rotated before or its grant is revoked.
   *
   * @param sealedAnswer the new pair as it was answered, readable only with the old token
   */
  rotate(id: string, tokens: TokenPair, sealedAnswer: string, now: number): Promise<boolean>;
  /**
   * Decides whether the rotation of the token is answered again and counts the repetition, in one statement with the
   * look at its successor: no repetition is answered after the successor was used, and none is counted for nothing.
   */
  repeatRotation(id: string, limits: RepetitionLimits): Promise<RepetitionOutcome>;
}

export interface RepetitionLimits {
  /** How often one rotation is answered again. */
  readonly repetitions: number;
  /** The repetition in so many repeated rotations in a row is refused; 0 = none is for that. */
  readonly streak: number;
}

/**
 * `answered`: within the limits. `exhausted`: this rotation was answered again as often as it may be. `streak`: the
 * rotations before it were repeated too. `used`: its successor was rotated in its turn, or is gone with its grant.
 */
export type RepetitionOutcome = 'used' | 'streak' | 'exhausted' | 'answered';

export interface FoundRefreshToken {
  readonly token: RefreshToken;
  /** How it was replaced; `undefined` when it was not. */
  readonly rotation: Rotation | undefined;
  /** The grant that it belongs to. */
  readonly grant: Grant;
}

export interface Rotation {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly sealedAnswer: string;
  /** Whether the token that replaced it was replaced in its turn. */
  readonly successorIsRotated: boolean;
}
