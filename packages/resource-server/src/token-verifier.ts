import { isTokenSyntax } from './bearer/token-syntax.ts';
import { AuthorizationServerUnavailable, TokenRejected } from './errors.ts';
import { isOutage, type Lookup } from './lookup/lookup.ts';
import type { Moment, TokenCache } from './lookup/token-cache.ts';
import type { System } from './system.ts';
import type { TokenInfo } from './token-info.ts';

export interface TokenVerifier {
  /**
   * Tells what an access token stands for, from the cache or by asking the authorization server.
   * @throws TokenRejected when it gives no access, AuthorizationServerUnavailable when that cannot be told
   */
  verify(token: string): Promise<TokenInfo>;
  /**
   * Forgets what is known of a token: who calls `verify` afterwards gets a new answer. On Node.js, Deno and Bun it holds
   * when the call returns, elsewhere when the promise resolves.
   */
  invalidate(token: string): Promise<void>;
}

/** A lookup under way, which whoever asks about the same token joins. */
interface Flight {
  readonly answer: Promise<TokenInfo>;
  /** By the monotonic clock; a flight that has not landed by then is lost and joined by nobody. */
  readonly until: number;
}

export interface VerifierParts {
  readonly cache: TokenCache;
  readonly lookUp: Lookup;
  /** Milliseconds that a lookup may take. */
  readonly timeout: number;
  readonly digest: System['digest'];
  /** Is told of every lookup that got no answer. */
  readonly failed: (error: AuthorizationServerUnavailable) => void;
}

/** Cache and single flight around lookups. */
export function tokenVerifier({ cache, lookUp, timeout, digest, failed }: VerifierParts): TokenVerifier {
  // In the order in which they began.
  const flights = new Map<string, Flight>();

  return {
    verify(token) {
      if (!isTokenSyntax(token)) return Promise.reject(new TokenRejected('malformed'));
      const key = digest(token);
      return typeof key === 'string' ? answer(key, token) : key.then((known) => answer(known, token));
    },
    async invalidate(token) {
      const key = digest(String(token));
      forget(typeof key === 'string' ? key : await key);
    },
  };

  function answer(key: string, token: string): Promise<TokenInfo> {
    const known = cache.fresh(key);
    if (known !== undefined) return Promise.resolve(known);
    const rejection = cache.rejection(key);
    if (rejection !== undefined) return Promise.reject(new TokenRejected(rejection));
    const asked = cache.moment();
    const flight = flights.get(key);
    if (flight !== undefined && asked.monotonic < flight.until) return flight.answer;
    return start(key, token, asked);
  }

  function start(key: string, token: string, asked: Moment): Promise<TokenInfo> {
    dropLost(asked.monotonic);
    const flight: Flight = { answer: lookUp(token).then(accept, refuse), until: asked.monotonic + timeout };
    // Behind those that began earlier, also where a lost one of this token is replaced.
    flights.delete(key);
    flights.set(key, flight);
    return flight.answer;

    function accept(info: TokenInfo): TokenInfo {
      if (!cache.isAlive(info, asked)) return refuse(new TokenRejected('expired'));
      if (land()) cache.accept(key, info, asked);
      return info;
    }

    function refuse(error: unknown): TokenInfo {
      const counts = land();
      if (error instanceof TokenRejected && counts) cache.reject(key, error.reason, asked);
      if (error instanceof AuthorizationServerUnavailable) {
        failed(error);
        const stale = counts && isOutage(error) ? cache.stale(key) : undefined;
        if (stale !== undefined) return stale;
      }
      throw error;
    }

    // What a flight brings counts only while it is the one to join: not after `invalidate`, nor when it was lost.
    function land(): boolean {
      return flights.get(key) === flight && flights.delete(key);
    }
  }

  // Workers end a request together with all that it awaits; such flights never land.
  function dropLost(now: number): void {
    for (const [key, { until }] of flights) {
      if (now < until) break;
      flights.delete(key);
    }
  }

  function forget(key: string): void {
    flights.delete(key);
    cache.delete(key);
  }
}
