import { requestErrorHours } from '@watchword/administration';
import {
  type Clock,
  type ErrorCause,
  errorCause,
  type FailedRequest,
  type OAuthError,
  type Random,
  type RequestError,
  type RequestErrorLog,
  type RequestErrorStore,
  timeOrderedId,
  type UnattributedError,
} from '@watchword/protocol';
import type { Logger } from '../log/logger.ts';
import { printable } from '../log/printable.ts';
import { RequestErrorMemory } from './request-error-memory.ts';
import { RequestErrorWriter } from './request-error-writer.ts';

// Characters. 10,000 errors with such texts need at most 25 MB.
const maxReason = 500;
const maxShown = 200;
const hourMs = 3_600_000;

/** The errors of requests: all of them in memory, those of authenticated clients also in the database. */
export class RequestErrors implements RequestErrorLog {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #memory = new RequestErrorMemory();
  readonly #unattributed = new UnattributedErrors();
  readonly #writer: RequestErrorWriter;

  constructor(store: Pick<RequestErrorStore, 'append'>, clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
    this.#writer = new RequestErrorWriter(store);
  }

  requestFailed(failure: FailedRequest): void {
    const time = this.#clock.now();
    const id = timeOrderedId(time, this.#random);
    const error: RequestError = { ...failure, id, time, ...shortened(failure) };
    this.#memory.add(error);
    if (error.isAuthenticated) this.#writer.add(error);
  }

  /** A request is answered by an error. It is kept here, unless it was reported as that of a client before. */
  answered(requestId: string, route: string, error: OAuthError): void {
    if (this.#memory.find(requestId) !== undefined) return;
    const cause = shortened(errorCause(error));
    this.#unattributed.add({ ...cause, requestId, route, time: this.#clock.now() });
  }

  /** The errors of the last day, newest first. @param clientRecordId only those of this client */
  list(clientRecordId: number | undefined): RequestError[] {
    const oldest = this.#oldest();
    return this.#memory
      .list(clientRecordId)
      .filter(({ time }) => time >= oldest)
      .sort((a, b) => (a.id < b.id ? 1 : -1));
  }

  /** The error of the last day with that id of the request. */
  find(requestId: string): RequestError | UnattributedError | undefined {
    const found = this.#memory.find(requestId) ?? this.#unattributed.find(requestId);
    return found === undefined || found.time < this.#oldest() ? undefined : found;
  }

  /** Number of errors of authenticated clients that were not stored since the start. */
  dropped(): number {
    return this.#writer.dropped;
  }

  /** Stores errors until the returned function is called, which stores the rest. */
  start(logger: Logger): () => Promise<void> {
    return this.#writer.start(logger);
  }

  #oldest(): number {
    return this.#clock.now() - requestErrorHours * hourMs;
  }
}

function shortened({ error, reason, rule, expected, came }: ErrorCause): ErrorCause {
  return {
    error,
    reason: copied(reason, maxReason),
    rule,
    expected: expected === undefined ? undefined : copied(expected, maxShown),
    came: came === undefined ? undefined : copied(came, maxShown),
  };
}

/** A copy, because a part of a text keeps the whole text in memory: a request of 64 kB for a few characters. */
function copied(text: string, maxLength: number): string {
  return Buffer.from(printable(text.slice(0, maxLength)).slice(0, maxLength)).toString();
}

const maxOfRoute = 100;

/** The last errors of requests that name no registered client: a hundred of each address of the server. */
class UnattributedErrors {
  readonly #byRoute = new Map<string, UnattributedError[]>();

  add(error: UnattributedError): void {
    const ofRoute = this.#byRoute.get(error.route) ?? [];
    this.#byRoute.set(error.route, ofRoute);
    if (ofRoute.push(error) > maxOfRoute) ofRoute.shift();
  }

  find(wanted: string): UnattributedError | undefined {
    for (const ofRoute of this.#byRoute.values()) {
      const found = ofRoute.find(({ requestId }) => requestId === wanted);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
