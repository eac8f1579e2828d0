import type { AccessToken } from '../../../model/records/access-token.ts';
import type { Grant } from '../../../model/records/grant.ts';
import type { RefreshToken } from '../../../model/records/refresh-token.ts';
import type { TokenPair } from './grant-store.ts';

/** Stores refresh tokens, from their issue until the purge removes them. */
export interface RefreshTokenStore {
  /** The token with the id, also if it is rotated or expired, but not if its grant is revoked or removed. */
  find(id: string): Promise<FoundRefreshToken | undefined>;
  /**
   * Replaces the token by a new pair, in one transaction. Of any number of simultaneous callers exactly one succeeds.
   * `false`, and nothing is stored, if the token was rotated before or its grant is revoked.
   *
   * @param sealedAnswer the answer with the new pair, readable only with the old token
   */
  rotate(id: string, tokens: TokenPair, sealedAnswer: string, now: number): Promise<boolean>;
  /**
   * Keeps the token, and stores an access token beside it, in one transaction. `false`, and nothing is stored, if the token was
   * rotated or its grant is revoked.
   *
   * @param expires when the refresh token expires from now on (epoch milliseconds)
   */
  use(id: string, accessToken: AccessToken, expires: number, now: number): Promise<boolean>;
  /**
   * Decides whether the rotation of the token is answered again, and counts the repetition. The same statement checks the
   * successor of the token: after the successor was used, no repetition is answered or counted.
   */
  repeatRotation(id: string, limits: RepetitionLimits): Promise<RepetitionOutcome>;
}

export interface RepetitionLimits {
  /** Maximum number of times that one rotation is answered again. */
  readonly repetitions: number;
  /** After this number of repeated rotations in a row, a repetition gets an error; 0 = no limit. */
  readonly streak: number;
}

/**
 * `answered`: within the limits. `exhausted`: this rotation has its maximum number of repetitions. `streak`: too many
 * rotations in a row were repeated. `used`: the successor was rotated too, or was removed with its grant.
 */
export type RepetitionOutcome = 'used' | 'streak' | 'exhausted' | 'answered';

export interface FoundRefreshToken {
  readonly token: RefreshToken;
  /** The replacement of the token; `undefined` if it was not replaced. */
  readonly rotation: Rotation | undefined;
  /** The grant of the token. */
  readonly grant: Grant;
}

export interface Rotation {
  /** Epoch milliseconds. */
  readonly at: number;
  /** `undefined` when it was cleared, after the longest grace. */
  readonly sealedAnswer: string | undefined;
  /** Whether its successor was replaced too. */
  readonly successorIsRotated: boolean;
}
