import type { Challenge } from '../errors.ts';
import type { TokenInfo } from '../token-info.ts';

const challenges = new WeakMap<TokenInfo, Challenge>();

/** What the guards required of the request that has this token info: the helpers name it too, so that one challenge has all. */
export function requiredBefore(tokenInfo: TokenInfo | undefined): Challenge {
  return (tokenInfo && challenges.get(tokenInfo)) ?? {};
}

/** Makes token info know its guard. Requests share token info, also those of other guards, so each guard has a copy of its own. */
export function rememberer(): (tokenInfo: TokenInfo, challenge: Challenge) => TokenInfo {
  const copies = new WeakMap<TokenInfo, TokenInfo>();
  return (tokenInfo, challenge) => {
    if (
      challenge.realm === undefined &&
      challenge.resourceMetadata === undefined &&
      challenge.scheme === undefined &&
      !challenge.scope?.length
    ) {
      return tokenInfo;
    }
    const known = copies.get(tokenInfo);
    if (known !== undefined && challenges.get(known) === challenge) return known;
    const copy = Object.freeze({ ...tokenInfo });
    copies.set(tokenInfo, copy);
    challenges.set(copy, challenge);
    return copy;
  };
}

/** One challenge for both: a client that gets a token for the later one alone would lack the earlier one. */
export function joined(earlier: Challenge, later: Challenge): Challenge {
  return {
    realm: later.realm ?? earlier.realm,
    resourceMetadata: later.resourceMetadata ?? earlier.resourceMetadata,
    scope: [...new Set([...(earlier.scope ?? []), ...(later.scope ?? [])])],
    scheme: later.scheme ?? earlier.scheme,
    algorithms: later.algorithms ?? earlier.algorithms,
  };
}

/** For what no scope mends. */
export function withoutScope({ scope, ...challenge }: Challenge): Challenge {
  return challenge;
}
