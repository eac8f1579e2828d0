import { AuthorizationServerUnavailable, type Unavailability } from '../errors.ts';
import { events } from '../events.ts';
import type { Background } from '../platform/background.ts';
import { ageOf, type ClockReading, readClocks } from '../platform/clock-reading.ts';
import type { System } from '../platform/system.ts';
import type { Get } from '../requests/get.ts';
import type { Answer } from '../requests/send.ts';
import { errorOf, unavailable } from '../requests/unavailable.ts';
import { type ListAnswer, RevocationList } from './revocation-list.ts';

/** Seconds that the server may wait for a change. */
const longestWait = 5;
/** Milliseconds: so much of the way of an answer is not taken for age. The time that it has is rounded to a second, too. */
const patience = 1000;
/** Milliseconds without a JWT after which the feed is not followed any more. */
const idleTime = 30_000;
/** Milliseconds between two requests at least; after an answer that came sooner than it was asked for; after errors. */
const leastPause = 50;
const earlyPause = 500;
const firstPause = 250;
const longestPause = 2000;
const pauseWithoutFeed = 5000;

/** The API is not registered any more, its tokens are opaque, or no server of ours is there: the list says nothing about its tokens. */
const refusals: ReadonlySet<Unavailability> = new Set([
  'credentials_refused',
  'wrong_address',
  'unexpected_answer',
]);

const unsigned =
  'expected a signed answer, and it was 304 alone, so each JWT is a lookup; update the server, or find out what answers in its place';

export interface RevocationFeedParts {
  /** Key of the API, for events. */
  readonly api: string;
  readonly get: Get;
  /** Header fields of each request. */
  readonly headers: Readonly<Record<string, string>>;
  /** @throws AuthorizationServerUnavailable if it is not a list of the server */
  readonly verifyList: (text: string, list: RevocationList) => Promise<ListAnswer>;
  /** Milliseconds. */
  readonly maxAge: number;
  /** Milliseconds by which the clocks of server and API may differ. */
  readonly clockTolerance: number;
  /** Milliseconds for an answer, in addition to the time that the server waits. */
  readonly timeout: number;
  readonly deps: Pick<System, 'now' | 'monotonic' | 'after' | 'random'> & { readonly background: Background };
  readonly failed: (error: AuthorizationServerUnavailable) => void;
}

/**
 * Follows the revocation feed of the server while JWTs are verified. All that it waits for depends on clocks: runtimes that end a
 * request together with everything it awaits cannot leave it stuck.
 */
export class RevocationFeed {
  readonly list = new RevocationList();
  readonly #parts: RevocationFeedParts;
  readonly #wait: number;
  /** When the list was known to be complete. */
  #currentAt: ClockReading | undefined;
  /** Whether the last answer said that nothing has changed, and nobody had signed it. */
  #isUnsigned = false;
  #usedAt = Number.NEGATIVE_INFINITY;
  /** By the monotonic clock. A request or a pause that has not ended by then is lost. */
  #until = Number.NEGATIVE_INFINITY;
  /** The loop with this number is the one that runs. */
  #loop = 0;
  #isClosed = false;
  #abort: () => void = () => {};

  constructor(parts: RevocationFeedParts) {
    this.#parts = parts;
    this.#wait = Math.min(longestWait, Math.floor(parts.maxAge / 2000));
  }

  /**
   * Whether the list has every revocation of more than `maxAge` ago.
   *
   * @param more milliseconds by which it may be older, because the server does not answer
   */
  isCurrent(now: ClockReading, more = 0): boolean {
    return this.#currentAt !== undefined && ageOf(this.#currentAt, now) < this.#parts.maxAge + more;
  }

  /** The feed is followed from now on, for some time. */
  use(now: ClockReading): void {
    this.#usedAt = now.monotonic;
    if (this.#isClosed || now.monotonic < this.#until) return;
    this.#loop += 1;
    void this.#parts.deps.background(() => this.#follow(this.#loop));
  }

  /** Stops following. */
  close(): void {
    this.#isClosed = true;
    this.#loop += 1;
    this.#currentAt = undefined;
    this.#abort();
  }

  async #follow(loop: number): Promise<void> {
    for (let failures = 0; ; ) {
      const sent = readClocks(this.#parts.deps);
      if (sent.monotonic - this.#usedAt > idleTime) break;
      const wait = this.isCurrent(sent) || this.#isUnsigned ? this.#wait : 0;
      let pause: number;
      try {
        pause = await this.#ask(sent, wait, loop);
        failures = 0;
      } catch (error) {
        if (loop !== this.#loop) return;
        failures += 1;
        pause = this.#failedAt(error, failures);
      }
      if (loop !== this.#loop) return;
      this.#tell();
      await this.#rest(pause);
      if (loop !== this.#loop) return;
    }
    this.#until = Number.NEGATIVE_INFINITY;
  }

  /** Resolves with the milliseconds until the next request. @throws AuthorizationServerUnavailable */
  async #ask(sent: ClockReading, wait: number, loop: number): Promise<number> {
    const { deps, failed, get, headers, timeout, verifyList } = this.#parts;
    const { cursor } = this.list;
    this.#until = sent.monotonic + wait * 1000 + 2 * timeout;
    const conditions = cursor !== undefined && {
      'if-none-match': `"${cursor}"`,
      prefer: `return=representation${wait > 0 ? `, wait=${wait}` : ''}`,
    };
    const answer = await get({ ...headers, ...conditions }, wait * 1000 + timeout, (abort) => {
      this.#abort = abort;
    });
    const arrived = readClocks(deps);
    const elapsed = arrived.monotonic - sent.monotonic;
    if (answer.status === 304 && cursor !== undefined) {
      // Anybody between server and API could have made it, so it confirms nothing.
      if (!this.#isUnsigned)
        failed(new AuthorizationServerUnavailable('invalid_answer', { detail: unsigned }));
      this.#isUnsigned = true;
      return elapsed < wait * 1000 - earlyPause ? earlyPause : leastPause - elapsed;
    }
    if (isOfOpaqueTokens(answer)) {
      const detail = 'it has no list of revocations for this API, because its tokens are opaque';
      throw new AuthorizationServerUnavailable('unexpected_answer', { detail });
    }
    if (answer.status !== 200) throw unavailable(answer, arrived.wall);
    const change = await verifyList(answer.text ?? '', this.list);
    if (loop !== this.#loop) return 0;
    if (change.since !== undefined && change.since !== cursor) {
      this.list.restart();
      throw new AuthorizationServerUnavailable('invalid_answer', { detail: 'changes since another cursor' });
    }
    this.#isUnsigned = false;
    this.list.takeOver(change, arrived.wall / 1000);
    this.#confirm(sent, arrived, wait, change);
    const isEarly = isNothing(change) && elapsed < wait * 1000 - earlyPause;
    return isEarly ? earlyPause : leastPause - elapsed;
  }

  /**
   * An answer that was long on its way, waited to be read, or was kept by somebody is as old as it can be.
   *
   * @throws AuthorizationServerUnavailable if it is too old to rely on
   */
  #confirm(sent: ClockReading, arrived: ClockReading, wait: number, { issuedAt }: ListAnswer): void {
    const { clockTolerance, maxAge } = this.#parts;
    const ageByTime = arrived.wall - issuedAt * 1000 - patience - clockTolerance;
    const age = Math.max(0, ageOf(sent, arrived) - wait * 1000 - patience, ageByTime);
    this.#currentAt = { wall: arrived.wall - age, monotonic: arrived.monotonic - age };
    if (ageByTime < maxAge) return;
    const madeAt = new Date(issuedAt * 1000).toISOString();
    const detail = `expected an answer of the last seconds, and it was made at ${madeAt}; compare the clocks of both machines`;
    throw new AuthorizationServerUnavailable('invalid_answer', { detail });
  }

  /** Milliseconds until the next request. */
  #failedAt(error: unknown, failures: number): number {
    const { deps, failed } = this.#parts;
    const known =
      error instanceof AuthorizationServerUnavailable
        ? error
        : new AuthorizationServerUnavailable('invalid_answer', { cause: error });
    failed(known);
    if (refusals.has(known.reason)) {
      this.list.forget();
      this.#currentAt = undefined;
      return pauseWithoutFeed;
    }
    if (known.retryAfter !== undefined) return known.retryAfter * 1000;
    const pause = Math.min(firstPause * 2 ** (failures - 1), longestPause);
    return pause * (0.5 + 0.5 * deps.random());
  }

  #tell(): void {
    if (!events.list.hasSubscribers) return;
    const { api, deps } = this.#parts;
    const now = readClocks(deps);
    const age = this.#currentAt && ageOf(this.#currentAt, now);
    events.list.publish({ api, age, isCurrent: this.isCurrent(now) });
  }

  #rest(milliseconds: number): Promise<void> | undefined {
    if (milliseconds <= 0) return undefined;
    const { deps } = this.#parts;
    this.#until = deps.monotonic() + milliseconds + patience;
    return new Promise((resolve) => {
      const stop = deps.after(milliseconds, resolve);
      this.#abort = () => {
        stop();
        resolve();
      };
    });
  }
}

/** Whether the server says that it has no list, because the tokens of this API are opaque. */
export function isOfOpaqueTokens({ status, text }: Answer): boolean {
  return status === 404 && errorOf(text) === 'not_found';
}

/** Whether the answer only says that nothing has changed. */
function isNothing({ since, grants, clients, tokens, keys }: ListAnswer): boolean {
  return since !== undefined && grants.size + clients.size + tokens.size + keys.size === 0;
}
