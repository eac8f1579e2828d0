import type { CheckFinding } from '../check/finding.ts';
import { AuthorizationServerUnavailable, TokenRejected } from '../errors.ts';
import { tellHit } from '../events.ts';
import { isOutage } from '../lookup/lookup.ts';
import type { TokenCache } from '../lookup/token-cache.ts';
import type { Verified } from '../lookup/verified.ts';
import type { ClockReading } from '../platform/clock-reading.ts';
import type { Closing } from '../platform/closing.ts';
import type { System } from '../platform/system.ts';
import type { Possession } from '../possession/possession.ts';
import type { ProtectedResource } from '../resource/protected-resource.ts';
import type { TokenInfo } from '../token-info.ts';
import { isTokenLength, isTokenSyntax } from '../token-syntax.ts';

export interface TokenVerifier extends Closing {
  /** The URIs of the option `resource` with their metadata, which `protect` serves. Behind `createGuard` the API does. */
  readonly resources: readonly ProtectedResource[];
  /** Checks for guards that who sends a token possesses the key that it is bound to. */
  readonly possession: Possession;
  /**
   * Resolves with what an access token represents, from the cache or from the authorization server.
   * @throws TokenRejected when it gives no access, AuthorizationServerUnavailable when the token could not be verified
   */
  verify(token: string): Promise<TokenInfo>;
  /**
   * Removes a token from the cache: a later `verify` asks the authorization server again. On Node.js, Deno and Bun this
   * is done when the call returns, on other platforms when the promise resolves.
   */
  invalidate(token: string): Promise<void>;
  /**
   * Asks the server whether tokens can be verified: address, credentials, issuer, clock, format. For the start of an API, before it
   * listens. Takes `timeout` at most.
   * @returns one finding for each; none of them is broken
   * @throws CheckError if one is, with all of them and what mends it
   */
  check(): Promise<readonly CheckFinding[]>;
  /**
   * Ends the work in the background, so that a process can end. Afterwards each JWT is a lookup. `await using` does the same at the end of
   * its block.
   */
  close(): void;
}

/** A current lookup. A second caller with the same token joins it. */
interface Flight {
  readonly answer: Promise<TokenInfo>;
  /** By the monotonic clock. A lookup without an answer by then is lost, and no caller joins it. */
  readonly until: number;
}

export interface VerifierParts {
  /** Key of the API, for events. */
  readonly api: string;
  readonly cache: TokenCache;
  /** Verifies a token whose token info is not known. @throws TokenRejected, AuthorizationServerUnavailable */
  readonly verifyToken: (token: string) => Promise<Verified>;
  /** Milliseconds that a lookup may take. */
  readonly timeout: number;
  readonly digest: System['digest'];
  /** Called for every lookup that got no answer. */
  readonly failed: (error: AuthorizationServerUnavailable) => void;
}

/** Cache and single flight around lookups. */
export function tokenVerifier(parts: VerifierParts): Pick<TokenVerifier, 'verify' | 'invalidate'> {
  const { api, cache, verifyToken, timeout, digest, failed } = parts;
  // In the order in which they began.
  const flights = new Map<string, Flight>();

  return {
    verify(token) {
      if (!isTokenLength(token)) return Promise.reject(new TokenRejected('malformed'));
      const key = digest(token);
      return typeof key === 'string' ? answer(key, token) : key.then((known) => answer(known, token));
    },
    async invalidate(token) {
      const key = digest(String(token));
      forget(typeof key === 'string' ? key : await key);
    },
  };

  function answer(key: string, token: string): Promise<TokenInfo> {
    const remembered = fromMemory(key, parts);
    if (remembered !== undefined) return remembered;
    // What is cached was a token. Its characters are checked when it is new, because a JWT has many.
    if (!isTokenSyntax(token)) return Promise.reject(new TokenRejected('malformed'));
    const asked = cache.readClocks();
    const flight = flights.get(key);
    if (flight !== undefined && asked.monotonic < flight.until) return flight.answer;
    return start(key, token, asked);
  }

  function start(key: string, token: string, asked: ClockReading): Promise<TokenInfo> {
    dropLost(flights, asked.monotonic);
    const flight: Flight = {
      answer: verifyToken(token).then(accept, reject),
      until: asked.monotonic + timeout,
    };
    // Behind those that began earlier, also where a lost one of this token is replaced.
    flights.delete(key);
    flights.set(key, flight);
    return flight.answer;

    function accept(verified: Verified): TokenInfo {
      if (!cache.isValid(verified, asked)) return reject(new TokenRejected('expired'));
      if (land()) cache.accept(key, verified, asked);
      return verified.info;
    }

    function reject(error: unknown): TokenInfo {
      const counts = land();
      if (error instanceof TokenRejected && counts) cache.reject(key, error.reason, asked);
      if (error instanceof AuthorizationServerUnavailable) {
        failed(error);
        const stale = counts && isOutage(error) ? cache.stale(key) : undefined;
        if (stale !== undefined) {
          tellHit(api, 'stale');
          return stale;
        }
      }
      throw error;
    }

    // The cache takes the answer only while callers can join the lookup: not after `invalidate`, nor when it was lost.
    function land(): boolean {
      return flights.get(key) === flight && flights.delete(key);
    }
  }

  function forget(key: string): void {
    flights.delete(key);
    cache.delete(key);
  }
}

/** `undefined` for a token that must be verified. */
function fromMemory(
  key: string,
  { api, cache }: Pick<VerifierParts, 'api' | 'cache'>,
): Promise<TokenInfo> | undefined {
  const known = cache.fresh(key);
  if (known !== undefined) {
    tellHit(api);
    return Promise.resolve(known);
  }
  const rejection = cache.rejection(key);
  if (rejection === undefined) return undefined;
  tellHit(api, rejection);
  return Promise.reject(new TokenRejected(rejection));
}

// Workers end a request together with all that it awaits; such flights never land.
function dropLost(flights: Map<string, Flight>, now: number): void {
  for (const [key, { until }] of flights) {
    if (now < until) break;
    flights.delete(key);
  }
}
