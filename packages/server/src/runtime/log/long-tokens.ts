import { longestAccessToken, type NearsLongest } from '@watchword/protocol';
import type { Logger } from './logger.ts';

// Milliseconds.
const pause = 3_600_000;
// Clients to remember: a bound, so that no memory grows with them.
const most = 10_000;

/**
 * Warns of clients whose access tokens come near the greatest length, of each at most once an hour.
 *
 * @param now milliseconds, on no clock that is set
 */
export function longTokens(
  logger: Pick<Logger, 'warn'>,
  now: () => number = () => performance.now(),
): NearsLongest {
  const warnedAt = new Map<string, number>();
  return ({ clientId }, characters) => {
    if (now() - (warnedAt.get(clientId) ?? Number.NEGATIVE_INFINITY) < pause) return;
    if (warnedAt.size >= most) warnedAt.clear();
    warnedAt.set(clientId, now());
    logger.warn(
      { clientId, characters, limit: longestAccessToken },
      'an access token of the client is nearly or more than as long as one can be; longer ones are not issued. Give the client fewer scopes, or its users fewer roles and groups, or let its resource server have opaque access tokens',
    );
  };
}
