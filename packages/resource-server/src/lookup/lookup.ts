import { AuthorizationServerUnavailable, type Unavailability } from '../errors.ts';
import type { Clocks, System, Timers } from '../platform/system.ts';
import { within } from '../requests/within.ts';
import type { TokenInfo } from '../token-info.ts';
import type { Ask } from './ask.ts';
import { CircuitBreaker } from './circuit-breaker.ts';

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

/** Maximum number of simultaneous lookups: enough to keep a server busy, and few enough for the sockets of both sides. */
export const maxRunning = 64;
const maxWaiting = 10_000;

interface Slot {
  readonly until: number;
}

/** Bounds how many lookups run at a time; others wait in line. */
export class Slots {
  readonly #deps: Pick<Clocks, 'monotonic'> & Timers;
  // In the order in which they began.
  readonly #running = new Set<Slot>();
  readonly #waiting = new Set<() => void>();

  constructor(deps: Pick<Clocks, 'monotonic'> & Timers) {
    this.#deps = deps;
  }

  /**
   * Resolves with the function that gives the slot back.
   * @param wait milliseconds to wait at most
   * @param hold milliseconds after which a slot that was not given back is lost
   * @throws AuthorizationServerUnavailable `overloaded`
   */
  async take(wait: number, hold: number): Promise<() => void> {
    this.#dropLost();
    this.#serveWaiting();
    if (this.#running.size < maxRunning) return this.#start(hold);
    if (this.#waiting.size >= maxWaiting) throw new AuthorizationServerUnavailable('overloaded');
    return new Promise((resolve, reject) => {
      const stopWaiting = this.#deps.after(wait, () => {
        this.#waiting.delete(proceed);
        reject(new AuthorizationServerUnavailable('overloaded'));
      });
      const proceed = () => {
        stopWaiting();
        resolve(this.#start(hold));
      };
      this.#waiting.add(proceed);
    });
  }

  #start(hold: number): () => void {
    const slot = { until: this.#deps.monotonic() + hold };
    this.#running.add(slot);
    return () => {
      this.#running.delete(slot);
      this.#serveWaiting();
    };
  }

  #serveWaiting(): void {
    for (const proceed of this.#waiting) {
      if (this.#running.size >= maxRunning) break;
      this.#waiting.delete(proceed);
      proceed();
    }
  }

  // Workers end a request together with all that it awaits. Then no code gives the slot back.
  #dropLost(): void {
    for (const slot of this.#running) {
      if (slot.until > this.#deps.monotonic()) break;
      this.#running.delete(slot);
    }
  }
}
