import { OAuthError, protocolErrors, StoreUnavailableError, type Tracer } from '@watchword/protocol';
import { ContractError } from './contract/contract-error.ts';

/** A call of a module. */
export interface ModuleCall {
  /** The setting that names the module. */
  readonly setting: 'authenticator' | 'consent';
  /** The name of the module, or of its instance. */
  readonly module: string;
  /** `begin`, `resume` and so on, or an address of the module. */
  readonly call: string;
  /** Id of the request in the log. */
  readonly requestId?: string | undefined;
}

/**
 * `timeout`: no answer in time. `shutdown`: no answer before the server shut down. `exception`: the module threw an error.
 * `invalid_answer`: an answer that the contract does not permit.
 */
export type ModuleFailureKind = 'timeout' | 'shutdown' | 'exception' | 'invalid_answer';

/** A call that failed. */
export interface FailedModuleCall extends ModuleCall {
  readonly failure: ModuleFailureKind;
  /** The error that the module threw, or the problem of its answer. */
  readonly err?: unknown;
}

/** Seconds that the server waits for a module. */
export const patience = 30;
const tick = 1000;

/**
 * Calls modules, which third parties can have written. If a module does not answer in time, throws an error, or returns
 * an answer that its contract does not permit, the call ends with an error that has a page, and is reported with the name
 * of the module.
 */
export class ModuleCalls {
  readonly #report: (failed: FailedModuleCall) => void;
  readonly #tracer: Tracer | undefined;
  // Slots are used again: see runtime/in-flight.ts.
  readonly #waiting: (Waiting | undefined)[] = [];
  readonly #free: number[] = [];
  /** The calls that failed the last time, each with its module. */
  readonly #broken = new Set<string>();
  // One timer for all calls, because a timer for each would cost more than most calls.
  readonly #timer = setInterval(() => this.#tick(), tick).unref();
  #ticks = 0;
  #ending: NodeJS.Timeout | undefined;
  #isOver = false;

  /** @param tracer for calls of requests that are traced */
  constructor(report: (failed: FailedModuleCall) => void, tracer?: Tracer) {
    this.#report = report;
    this.#tracer = tracer;
  }

  /**
   * @param checked throws an error for an answer that the contract does not permit
   * @throws OAuthError `module_failed`, `module_timed_out`, and those that the module throws
   * @throws StoreUnavailableError
   */
  async run<Answer, Checked>(
    call: ModuleCall,
    work: () => Answer | Promise<Answer>,
    checked: (answer: Answer) => Checked,
  ): Promise<Checked> {
    let answer: Answer;
    try {
      answer = await this.#answer(this.#traced(call, work));
    } catch (error) {
      throw this.#errorFor(call, error);
    }
    try {
      return checked(answer);
    } catch (err) {
      this.#report({ ...call, failure: 'invalid_answer', err });
      throw new OAuthError('module_failed', { cause: err });
    }
  }

  /**
   * The same for a question that a module answers synchronously, many times a second. If the call fails, the answer is
   * `undefined`, and the log has one line until a call succeeds again.
   */
  ask<Answer>(call: ModuleCall, work: () => Answer, checked: (answer: Answer) => Answer): Answer | undefined {
    try {
      const answer = checked(work());
      if (this.#broken.size > 0) this.#broken.delete(keyOf(call));
      return answer;
    } catch (err) {
      const failure = err instanceof ContractError ? 'invalid_answer' : 'exception';
      const key = keyOf(call);
      if (!this.#broken.has(key)) this.#report({ ...call, failure, err });
      this.#broken.add(key);
      return undefined;
    }
  }

  /** The server shuts down: after this time it no longer waits for modules. @param milliseconds until then */
  endAfter(milliseconds: number): void {
    this.#ending = setTimeout(() => {
      this.#isOver = true;
      this.#giveUp('shutdown', this.#ticks);
    }, milliseconds);
  }

  close(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#ending);
  }

  #traced<Answer>({ module, call }: ModuleCall, work: () => Answer | Promise<Answer>) {
    const tracer = this.#tracer;
    return tracer === undefined ? work : () => tracer.step(`module ${module} ${call}`, work);
  }

  async #answer<Answer>(work: () => Answer | Promise<Answer>): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const slot = this.#free.pop() ?? this.#waiting.length;
    this.#waiting[slot] = { since: this.#ticks, giveUp: (failure) => reject(new NoAnswer(failure)) };
    try {
      // The promise of a module is used itself: several calls of each login make fewer promises.
      void Promise.resolve(work()).then(resolve, reject);
      if (this.#isOver) reject(new NoAnswer('shutdown'));
      return await promise;
    } finally {
      this.#waiting[slot] = undefined;
      this.#free.push(slot);
    }
  }

  #errorFor(call: ModuleCall, error: unknown): Error {
    if (error instanceof NoAnswer) {
      this.#report({ ...call, failure: error.failure });
      return new OAuthError('module_timed_out', { retryAfter: patience });
    }
    if (error instanceof StoreUnavailableError) return error;
    const thrown = thrownOAuthError(error);
    if (thrown !== undefined) return thrown;
    this.#report({ ...call, failure: 'exception', err: error });
    return new OAuthError('module_failed', { cause: error });
  }

  #tick(): void {
    this.#ticks += 1;
    this.#giveUp('timeout', this.#ticks - patience);
  }

  /** @param since ends the calls that began no later than in that tick */
  #giveUp(failure: NoAnswer['failure'], since: number): void {
    for (const waiting of this.#waiting) {
      if (waiting !== undefined && waiting.since <= since) waiting.giveUp(failure);
    }
  }
}

function keyOf({ module, call }: ModuleCall): string {
  return `${module} ${call}`;
}

interface Waiting {
  /** The tick in which the call began. */
  readonly since: number;
  giveUp(failure: NoAnswer['failure']): void;
}

class NoAnswer extends Error {
  readonly failure: 'timeout' | 'shutdown';

  constructor(failure: 'timeout' | 'shutdown') {
    super('the module did not answer');
    this.failure = failure;
  }
}

/**
 * The `OAuthError` that a module threw; `undefined` for any other error. A package can have its own copy of the protocol, so
 * the error is recognized by its name.
 */
function thrownOAuthError(error: unknown): OAuthError | undefined {
  if (error instanceof OAuthError) return error;
  if (!(error instanceof Error) || error.name !== 'OAuthError') return undefined;
  const { kind, message: description, retryAfter, text } = error as OAuthError;
  if (!Object.hasOwn(protocolErrors, kind)) return undefined;
  return new OAuthError(kind, {
    description,
    cause: error,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(text !== undefined && { text }),
  });
}
