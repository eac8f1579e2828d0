import { AuthorizationServerUnavailable, type Unavailability } from '../errors.ts';
import type { Clocks, System, Timers } from '../system.ts';
import type { TokenInfo } from '../token-info.ts';
import type { Ask } from './ask.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { Slots } from './slots.ts';
import { within } from './within.ts';

/** Asks the authorization server about a token, within a time limit. @throws TokenRejected, AuthorizationServerUnavailable */
export type Lookup = (token: string) => Promise<TokenInfo>;

// No answer, or an error of the server: another attempt can succeed.
const passing: ReadonlySet<Unavailability> = new Set(['unreachable', 'timeout', 'server_error']);

// These would happen with any other token too.
const failures: ReadonlySet<Unavailability> = new Set([
  ...passing,
  'credentials_refused',
  'redirected',
  'invalid_answer',
]);

/**
 * Lookups with everything around the question: a bound on how many run at a time, a time-out, a second attempt, the
 * circuit breaker.
 * @param timeout milliseconds for all of that
 */
export function lookupWith(
  ask: Ask,
  timeout: number,
  deps: Pick<Clocks, 'monotonic'> & Timers & Pick<System, 'random'>,
): Lookup {
  const breaker = new CircuitBreaker(timeout, deps);
  const slots = new Slots(deps);

  return async (token) => {
    const deadline = deps.monotonic() + timeout;
    breaker.check();
    // After a long wait half of the time is left, so that a queue is not taken for a slow server.
    const giveBack = await slots.take(timeout / 2, timeout);
    try {
      breaker.admit();
      const info = await askTwice(token, deadline);
      breaker.succeeded();
      return info;
    } catch (error) {
      report(error);
      throw error;
    } finally {
      giveBack();
    }
  };

  async function askTwice(token: string, deadline: number): Promise<TokenInfo> {
    try {
      return await askWithin(token, Math.min(timeout / 2, deadline - deps.monotonic()));
    } catch (error) {
      if (!isWorthAnotherAttempt(error)) throw error;
      // Jitter: requests that failed together do not come back together.
      await new Promise<void>((resolve) => deps.after(50 + 100 * deps.random(), resolve));
      const left = deadline - deps.monotonic();
      if (left <= 0) throw error;
      return await askWithin(token, left);
    }
  }

  function askWithin(token: string, milliseconds: number): Promise<TokenInfo> {
    return within(milliseconds, deps, (signal) => ask(token, signal));
  }

  function report(error: unknown): void {
    const unavailable = error instanceof AuthorizationServerUnavailable ? error : undefined;
    const reason = unavailable?.reason;
    if (reason === 'circuit_open') return;
    if (reason === 'rate_limited') breaker.pauseFor((unavailable?.retryAfter ?? 1) * 1000, error);
    else if (reason !== undefined && failures.has(reason)) breaker.failed(error);
    // A rejected token is a valid answer of the server, and an unexpected answer can be caused by the token.
    else breaker.succeeded();
  }
}

/** Whether the server did not answer, as opposed to answering something that is not to be trusted. */
export function isOutage({ reason, cause }: AuthorizationServerUnavailable): boolean {
  if (reason !== 'circuit_open') return passing.has(reason);
  return cause instanceof AuthorizationServerUnavailable && isOutage(cause);
}

// If the server sent Retry-After, it is not asked before that time.
function isWorthAnotherAttempt(error: unknown): boolean {
  return (
    error instanceof AuthorizationServerUnavailable &&
    passing.has(error.reason) &&
    error.retryAfter === undefined
  );
}
