import { AuthorizationServerUnavailable, TokenRejected } from '../errors.ts';
import { events, observed } from '../events.ts';
import type { Lookup } from '../lookup/lookup.ts';
import type { Verified } from '../lookup/verified.ts';
import type { Settings } from '../options/options.ts';
import { type ClockReading, readClocks } from '../platform/clock-reading.ts';
import type { System } from '../platform/system.ts';
import { type AccessTokenClaims, readClaims } from './claims.ts';
import type { KeySet } from './key-set.ts';
import type { RevocationFeed } from './revocation-feed.ts';
import { verifySigned } from './verify-signed.ts';

export interface JwtParts {
  readonly settings: Settings;
  /** The values of `aud` that mean this API. */
  readonly audiences: string[];
  readonly keys: Pick<KeySet, 'find'>;
  readonly feed: Pick<RevocationFeed, 'list' | 'isCurrent' | 'use'>;
  /** Asks token info. */
  readonly lookUp: Lookup;
  readonly deps: Pick<System, 'now' | 'monotonic'>;
}

/** The header of a JWT is a JSON object: `{"` in base64url. */
export function looksLikeJwt(token: string): boolean {
  return token.startsWith('eyJ');
}

/**
 * Verifies a JWT access token here (RFC 9068 §4), while the list of revocations is current. Otherwise token info decides, and its answer
 * is used no longer than a list would be, and not after a change of the list.
 *
 * @throws TokenRejected, AuthorizationServerUnavailable
 */
export async function verifyJwt(token: string, parts: JwtParts): Promise<Verified> {
  const { settings, feed, lookUp, deps } = parts;
  const now = readClocks(deps);
  feed.use(now);
  const verified = feed.isCurrent(now)
    ? await observed(events.verification, settings.key, deps, () => verifyHere(token, parts, now))
    : undefined;
  if (verified !== undefined) return verified;
  // Without the change of the list, a token that is revoked after the lookup would be accepted until the answer is too old.
  const { version } = feed.list;
  const isOutdated = () => feed.list.version !== version;
  return { info: await lookUp(token), ttl: settings.jwt.maxListAge, isOutdated };
}

/** `undefined` if token info must decide. @throws TokenRejected */
async function verifyHere(
  token: string,
  { settings, audiences, keys, feed, deps }: JwtParts,
  now: ClockReading,
): Promise<Verified | undefined> {
  const { list } = feed;
  // A revoked key is not in the set any more, and is not fetched again.
  const findKey = async (kid: string) => (list.isKeyRevoked(kid) ? undefined : keys.find(kid));
  const outcome = await verifySigned(token, findKey, {
    typ: 'at+jwt',
    audience: audiences,
    issuer: settings.issuer ?? list.issuer,
    clockTolerance: settings.jwt.clockTolerance,
    now: now.wall,
  }).catch(unlessUnavailable);
  if (outcome === 'unsupported') return undefined;
  if (outcome === 'expired') throw new TokenRejected('expired');
  const claims = outcome === 'invalid' ? undefined : readClaims(outcome.claims, audiences);
  if (outcome === 'invalid' || claims === undefined) throw new TokenRejected('unknown');
  const { kid } = outcome;
  // The list can have changed, or become too old, while the key was fetched.
  if (!feed.isCurrent(readClocks(deps))) return undefined;
  if (list.isRevoked(claims, kid)) throw new TokenRejected('unknown');
  return { info: claims.info, state: stateOf(claims, kid, feed), leeway: settings.jwt.clockTolerance };
}

/** What the list says of the token now. It is asked with each request, so it compares nothing while the list is the same. */
function stateOf(claims: AccessTokenClaims, kid: string, feed: JwtParts['feed']): Verified['state'] {
  const { list } = feed;
  let checked = list.version;
  return (now, more) => {
    feed.use(now);
    if (!feed.isCurrent(now, more)) return 'unsure';
    if (checked !== list.version) {
      if (list.isRevoked(claims, kid)) return 'revoked';
      checked = list.version;
    }
    return 'valid';
  };
}

/** Without keys, token info decides. */
function unlessUnavailable(error: unknown): 'unsupported' {
  if (error instanceof AuthorizationServerUnavailable) return 'unsupported';
  throw error;
}
