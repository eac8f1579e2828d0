import { decodeJwt } from 'jose/jwt/decode';
import { AuthorizationServerUnavailable, TokenRejected } from '../errors.ts';
import type { Lookup } from '../lookup/lookup.ts';
import type { Verified } from '../lookup/verified.ts';
import { describe } from '../options/kinds.ts';
import type { Settings } from '../options/options.ts';
import type { Background } from '../platform/background.ts';
import type { System } from '../platform/system.ts';
import { basicCredentials } from '../requests/basic-credentials.ts';
import { expectIssuer } from '../requests/expect-issuer.ts';
import { type Get, getOf } from '../requests/get.ts';
import type { Place, ServerAddresses } from '../requests/server-addresses.ts';
import { unavailable } from '../requests/unavailable.ts';
import { audiencesOf } from '../resource/protected-resource.ts';
import { KeySet } from './key-set.ts';
import { isOfOpaqueTokens, RevocationFeed } from './revocation-feed.ts';
import { type ListAnswer, RevocationList, readList } from './revocation-list.ts';
import { looksLikeJwt, verifyJwt } from './verify-jwt.ts';
import { verifySigned } from './verify-signed.ts';

const maxKeyBytes = 1_048_576;
/** A million revocations. */
const maxListBytes = 67_108_864;
/** Milliseconds: an answer of the feed is younger, so a list that is older was kept by somebody and sent again. */
const longestOnItsWay = 60_000;

export interface JwtVerification {
  /** Verifies a token of either kind. @throws TokenRejected, AuthorizationServerUnavailable */
  verify(token: string): Promise<Verified>;
  /**
   * Asks for the list of revocations once, and verifies it. `undefined` if the tokens of this API are opaque.
   *
   * @param timeout milliseconds
   * @throws AuthorizationServerUnavailable
   */
  readList(timeout: number): Promise<ListAnswer | undefined>;
  close(): void;
}

interface JwtVerificationParts extends System {
  readonly addresses: ServerAddresses;
  readonly background: Background;
  readonly lookUp: Lookup;
  /** Takes failures of requests to a place. */
  readonly failedAt: (place: Place) => (error: AuthorizationServerUnavailable) => void;
}

/** `undefined` if JWTs are not verified here, or it is not known where the keys and the list of revocations are. */
export function jwtVerification(
  settings: Settings,
  { addresses, lookUp, failedAt, ...deps }: JwtVerificationParts,
): JwtVerification | undefined {
  if (!settings.jwt.local || !addresses.haveKeys) return undefined;
  const { key, secret, timeout, jwt } = settings;
  const getKeys = getOf(() => addresses.find('keys'), maxKeyBytes, deps);
  const keysFailed = failedAt('keys');
  // Half of the time of a lookup, so that token info can be asked in the rest.
  const keys = new KeySet(
    () => fetchKeys(getKeys, timeout / 2, deps),
    timeout,
    deps,
    (error) => {
      if (error instanceof AuthorizationServerUnavailable) keysFailed(error);
    },
  );
  const get = getOf(() => addresses.find('revocations'), maxListBytes, deps);
  const headers = { accept: 'application/jwt', authorization: basicCredentials(key, secret) };
  const verify = (text: string, list: RevocationList) => verifyList(text, list, { keys, settings, deps });
  const feed = new RevocationFeed({
    api: key,
    get,
    headers,
    verifyList: verify,
    maxAge: jwt.maxListAge,
    clockTolerance: jwt.clockTolerance,
    timeout,
    deps,
    failed: failedAt('revocations'),
  });
  const parts = { settings, audiences: audiencesOf(settings), keys, feed, lookUp, deps };
  return {
    verify: async (token) => (looksLikeJwt(token) ? verifyJwt(token, parts) : { info: await lookUp(token) }),
    async readList(timeout) {
      const answer = await get(headers, timeout);
      if (isOfOpaqueTokens(answer)) return undefined;
      if (answer.status !== 200) throw unavailable(answer, deps.now());
      return verify(answer.text ?? '', new RevocationList());
    },
    close: () => feed.close(),
  };
}

async function fetchKeys(
  get: Get,
  timeout: number,
  { now }: Pick<System, 'now'>,
): Promise<readonly unknown[]> {
  const answer = await get({ 'cache-control': 'no-cache' }, timeout);
  if (answer.status !== 200) throw unavailable(answer, now());
  try {
    const { keys } = JSON.parse(answer.text ?? '');
    if (Array.isArray(keys)) return keys;
  } catch {
    // Answered below.
  }
  throw unavailable(answer, now(), 'expected a JWK Set');
}

interface ListParts {
  readonly keys: KeySet;
  readonly settings: Settings;
  readonly deps: Pick<System, 'now'>;
}

/** @throws AuthorizationServerUnavailable */
async function verifyList(
  text: string,
  list: RevocationList,
  { keys, settings, deps }: ListParts,
): Promise<ListAnswer> {
  const { key: audience } = settings;
  const outcome = await verifySigned(text, (kid) => keys.findNow(kid), {
    typ: 'revocations+jwt',
    audience,
    now: deps.now(),
  });
  const answer = typeof outcome === 'string' ? undefined : readList(outcome.claims);
  if (typeof outcome === 'string' || answer === undefined) {
    const detail = 'expected a list of revocations that the server has signed for this API';
    throw new AuthorizationServerUnavailable('invalid_answer', { detail });
  }
  expectIssuer(settings, answer.issuer, 'its list of revocations');
  const age = deps.now() - answer.issuedAt * 1000;
  if (Math.abs(age) > longestOnItsWay + settings.jwt.clockTolerance) {
    const madeAt = new Date(answer.issuedAt * 1000).toISOString();
    const detail = `expected a list of this minute, and it was made at ${madeAt}; compare the clocks of both machines`;
    throw new AuthorizationServerUnavailable('invalid_answer', { detail });
  }
  if (list.isOlder(answer)) {
    const detail = 'the list is older than one before it, so somebody has kept it and sent it again';
    throw new AuthorizationServerUnavailable('invalid_answer', { detail });
  }
  // A key that leaked signs no list, least of all one that does not name it.
  if (list.isKeyRevoked(outcome.kid) || answer.keys.has(outcome.kid)) {
    throw new AuthorizationServerUnavailable('invalid_answer', { detail: 'the key of the list is revoked' });
  }
  for (const kid of answer.keys.keys()) keys.remove(kid);
  return answer;
}

/**
 * Lookups that accept JWTs of the issuer only, and tokens for the URIs of this API. Token info says that a token is good, and not whose it
 * is. A good token of another issuer means that the option is wrong, so it is no reason for clients to throw their tokens away.
 *
 * @param settings without `issuer`, any issuer that the server has is accepted; without `resource`, any URI of this API
 * @param foreign takes a warning about a good token that is for another URI: the option can be wrong
 * @throws also AuthorizationServerUnavailable `other_issuer`
 */
export function lookupOfThisApi(
  lookUp: Lookup,
  settings: Settings,
  foreign: (message: string) => void,
): Lookup {
  const audiences = settings.resource.length > 0 ? audiencesOf(settings) : undefined;
  if (settings.issuer === undefined && audiences === undefined) return lookUp;
  return async (token) => {
    const info = await lookUp(token);
    const claims = claimsOf(token);
    if (claims !== undefined) expectIssuer(settings, claims.iss, 'a JWT that token info accepts');
    const meant = [info.aud ?? claims?.aud ?? []].flat();
    if (audiences !== undefined && meant.length > 0 && !meant.some((uri) => audiences.includes(uri))) {
      const names = meant.map(describe).join(', ');
      foreign(
        `A token of this API is for ${names}, and not for ${settings.resource.join(', ')}: compare the option resource with the resources of its resource server`,
      );
      throw new TokenRejected('unknown');
    }
    return info;
  };
}

/** `undefined` for an opaque token. */
function claimsOf(token: string): ReturnType<typeof decodeJwt> | undefined {
  try {
    return decodeJwt(token);
  } catch {
    return undefined;
  }
}
