import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export type RunRequest = {
  /** The mutant that runs; absent: none. */
  readonly active?: number | undefined;
} & ({ readonly sources: readonly (readonly [file: string, source: string])[] } | { readonly test: string });

export interface RunAnswer {
  /** Number of failures. */
  readonly failed: number;
  /** The mutants at which the code came by. */
  readonly reached: readonly number[];
  /** Whether the process ends now. */
  readonly isLast: boolean;
}

const program = fileURLToPath(new URL('./mutant-run.ts', import.meta.url));
const reporter = new URL('../runner/event-results.ts', import.meta.url).href;
const options = ['--conditions=source', `--test-reporter=${reporter}`, '--test-reporter-destination=stdout'];

/** A process that runs test files with one mutant at a time. */
export class MutantProcess {
  readonly #child: ChildProcess;
  readonly #channel: Socket;
  readonly #answers: AsyncIterator<string>;
  readonly #closed: Promise<unknown>;

  /** @param errors whether to print what the process says, as it does of each failure */
  constructor(errors: 'inherit' | 'ignore') {
    this.#child = spawn(process.execPath, [...options, program], {
      // A test of this program runs within node:test.
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
      stdio: ['ignore', 'ignore', errors, 'pipe'],
    });
    this.#closed = once(this.#child, 'close');
    this.#channel = this.#child.stdio[3] as Socket;
    this.#channel.on('error', () => {});
    this.#answers = createInterface({ input: this.#channel })[Symbol.asyncIterator]();
  }

  /**
   * `undefined`, and the process has ended, if the tests did not end within the limit, or it ended itself.
   *
   * @param limit milliseconds
   */
  async run(request: RunRequest, limit: number): Promise<RunAnswer | undefined> {
    this.#channel.write(`${JSON.stringify(request)}\n`);
    const timer = new AbortController();
    const late = setTimeout(limit, undefined, { signal: timer.signal }).catch(() => undefined);
    const answer = await Promise.race([this.#answers.next(), late]);
    timer.abort();
    if (answer?.done === false) return JSON.parse(answer.value);
    await this.end();
    return undefined;
  }

  async end(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#closed;
  }
}
