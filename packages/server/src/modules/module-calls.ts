import { OAuthError, StoreUnavailableError } from '@watchword/protocol';
import { ContractError } from './contract/contract-error.ts';
import { refusalOf } from './refusal-of.ts';

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

/** `silent`: no answer in time. `stopped`: no answer before the server ended. `nonsense`: an answer against the contract. */
export type ModuleFaultKind = 'silent' | 'stopped' | 'threw' | 'nonsense';

export interface ModuleFault extends ModuleCall {
  readonly fault: ModuleFaultKind;
  /** The error that it threw, or what is wrong with its answer. */
  readonly err?: unknown;
}

/** Seconds that the server waits for a module. */
export const patience = 30;
const tick = 1000;

/**
 * Calls modules, which other people can have written. When a module does not answer in time, throws an error, or answers
 * against its contract, the call ends with an error that has a page, and is reported with the name of the module.
 */
export class ModuleCalls {
  readonly #report: (fault: ModuleFault) => void;
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

  constructor(report: (fault: ModuleFault) => void) {
    this.#report = report;
  }

  /**
   * @param checked throws an error for a wrong answer
   * @throws OAuthError `module_failed`, `module_timed_out`, and those that the module throws
   * @throws StoreUnavailableError
   */
  async run<Answer, Checked>(
    call: ModuleCall,
    work: () => Answer | Promise<Answer>,
    checked: (answer: Answer) => Checked,
  ): Promise<Checked> {
    const answer = await this.#answer(work).catch((error: unknown) => {
      throw this.#errorFor(call, error);
    });
    try {
      return checked(answer);
    } catch (err) {
      this.#report({ ...call, fault: 'nonsense', err });
      throw new OAuthError('module_failed', { cause: err });
    }
  }

  /**
   * The same for a question that a module answers at once and many times a second: `undefined` when the call fails, with one
   * line in the log until it succeeds again.
   */
  ask<Answer>(call: ModuleCall, work: () => Answer, checked: (answer: Answer) => Answer): Answer | undefined {
    try {
      const answer = checked(work());
      if (this.#broken.size > 0) this.#broken.delete(keyOf(call));
      return answer;
    } catch (err) {
      const fault = err instanceof ContractError ? 'nonsense' : 'threw';
      const key = keyOf(call);
      if (!this.#broken.has(key)) this.#report({ ...call, fault, err });
      this.#broken.add(key);
      return undefined;
    }
  }

  /** The server ends: after this time it waits for no module. @param milliseconds until then */
  endAfter(milliseconds: number): void {
    this.#ending = setTimeout(() => {
      this.#isOver = true;
      this.#giveUp('stopped', this.#ticks);
    }, milliseconds);
  }

  close(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#ending);
  }

  async #answer<Answer>(work: () => Answer | Promise<Answer>): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const slot = this.#free.pop() ?? this.#waiting.length;
    this.#waiting[slot] = { since: this.#ticks, giveUp: (fault) => reject(new NoAnswer(fault)) };
    try {
      void called(work).then(resolve, reject);
      if (this.#isOver) reject(new NoAnswer('stopped'));
      return await promise;
    } finally {
      this.#waiting[slot] = undefined;
      this.#free.push(slot);
    }
  }

  #errorFor(call: ModuleCall, error: unknown): Error {
    if (error instanceof NoAnswer) {
      this.#report({ ...call, fault: error.fault });
      return new OAuthError('module_timed_out', { retryAfter: patience });
    }
    if (error instanceof StoreUnavailableError) return error;
    const refusal = refusalOf(error);
    if (refusal !== undefined) return refusal;
    this.#report({ ...call, fault: 'threw', err: error });
    return new OAuthError('module_failed', { cause: error });
  }

  #tick(): void {
    this.#ticks += 1;
    this.#giveUp('silent', this.#ticks - patience);
  }

  /** @param since ends the calls that began no later than in that tick */
  #giveUp(fault: NoAnswer['fault'], since: number): void {
    for (const waiting of this.#waiting) {
      if (waiting !== undefined && waiting.since <= since) waiting.giveUp(fault);
    }
  }
}

function keyOf({ module, call }: ModuleCall): string {
  return `${module} ${call}`;
}

/** An error that is thrown at once becomes a rejection too. */
async function called<Answer>(work: () => Answer | Promise<Answer>): Promise<Answer> {
  return work();
}

interface Waiting {
  /** The tick in which the call began. */
  readonly since: number;
  giveUp(fault: NoAnswer['fault']): void;
}

class NoAnswer extends Error {
  readonly fault: 'silent' | 'stopped';

  constructor(fault: 'silent' | 'stopped') {
    super('the module did not answer');
    this.fault = fault;
  }
}
