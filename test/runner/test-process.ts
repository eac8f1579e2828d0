import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { leftOpenCode } from './exit-code.ts';
import type { FileResult } from './file-result.ts';
import { processorSeconds } from './processor-time.ts';

/** A result, and the text that the file wrote to standard output and standard error. */
export interface PrintedResult extends FileResult {
  readonly output: string;
  /** Processor time, in seconds, of its process and all that runs below it; 0 where it is not known. */
  readonly processor: number;
}

const sharedProcess = fileURLToPath(new URL('./shared-process.ts', import.meta.url));
const reporter = new URL('./event-results.ts', import.meta.url).href;

/** Milliseconds until a test fails. The longest take 15 s on a quiet machine, and twenty times as long beside much other work. */
const testTimeout = 300_000;

/** Megabytes. With room for young objects, tests need a tenth less processor time: most of what they make is soon garbage. */
const youngGeneration = ['--min-semi-space-size=32', '--max-semi-space-size=32'];

const options = [
  '--conditions=source',
  `--test-timeout=${testTimeout}`,
  `--test-reporter=${reporter}`,
  '--test-reporter-destination=stdout',
  ...youngGeneration,
];

/** A process that runs test files, one after the other. */
export class TestProcess {
  readonly #child: ChildProcess;
  readonly #channel: Socket;
  readonly #results: AsyncIterator<string>;
  readonly #closed: Promise<unknown>;
  #output = '';
  #hasEnded = false;
  /** Processor time until now. The first file gets the start of the process too. */
  #processor = 0;

  /**
   * @param root paths of files are relative to it
   * @param loads whether {@link load} is called first
   */
  constructor(root: string, loads = false) {
    this.#child = spawn(process.execPath, [...options, sharedProcess, ...(loads ? ['--load'] : [])], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    this.#closed = once(this.#child, 'close');
    this.#channel = this.#child.stdio[3] as Socket;
    // A process that has ended takes no more files: the missing result is the failure.
    this.#channel.on('error', () => {});
    this.#results = createInterface({ input: this.#channel })[Symbol.asyncIterator]();
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        this.#output += chunk;
      });
    }
  }

  /** Whether it can run no more files. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Resolves when it has compiled what most files import, or has ended: others that start then find that, and need a third of the time. */
  async load(): Promise<void> {
    await this.#results.next();
  }

  async run(file: string): Promise<PrintedResult> {
    this.#channel.write(`${file}\n`);
    const { done, value } = await this.#results.next();
    if (!done) {
      return { ...JSON.parse(value), processor: this.#takeProcessor(), output: await this.#takeOutput() };
    }
    this.#hasEnded = true;
    await this.#closed;
    return { ...withoutResult, file, output: await this.#takeOutput() };
  }

  /** Resolves with its failure if a file has left something behind that keeps it from ending. */
  async end(): Promise<PrintedResult | undefined> {
    this.#channel.end();
    await this.#closed;
    if (this.#child.exitCode !== leftOpenCode) return undefined;
    const file = 'the process that ran the files above';
    return { ...withoutResult, file, output: await this.#takeOutput() };
  }

  #takeProcessor(): number {
    const until = processorSeconds(this.#child.pid ?? 0);
    // A process whose end nobody waited for takes its time with it.
    const used = Math.max(until - this.#processor, 0);
    this.#processor = until;
    return used;
  }

  async #takeOutput(): Promise<string> {
    // What the process wrote before its result is in the pipes by now, and is read within a turn of the event loop.
    await setImmediate();
    await setImmediate();
    const output = this.#output;
    this.#output = '';
    return output;
  }
}

/** A file that did not run to its end has not passed. */
const withoutResult = {
  passed: 0,
  skipped: 0,
  reasons: [],
  failures: [{ path: [], error: 'its process ended before this file did' }],
  milliseconds: 0,
  processor: 0,
};
