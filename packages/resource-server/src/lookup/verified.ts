import type { ClockReading } from '../platform/clock-reading.ts';
import type { TokenInfo } from '../token-info.ts';

/** `unsure`: the authorization server must be asked. */
export type VerifiedState = 'valid' | 'revoked' | 'unsure';

/** What a token represents, and for how long that can be used. Never after the token has expired. */
export interface Verified {
  readonly info: TokenInfo;
  /** Milliseconds, if fewer than the `ttl` of the cache. */
  readonly ttl?: number;
  /** Whether the authorization server has reported since that tokens were revoked, so that it must be asked again. */
  readonly isOutdated?: () => boolean;
  /**
   * Decides instead of any `ttl`.
   *
   * @param more milliseconds by which what is known may be older, because the server does not answer
   */
  readonly state?: ((now: ClockReading, more?: number) => VerifiedState) | undefined;
  /** Milliseconds after its expiry for which the token is valid, because clocks differ. */
  readonly leeway?: number;
}
