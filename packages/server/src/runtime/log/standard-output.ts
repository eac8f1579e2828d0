import { write, writeSync } from 'node:fs';
import type { LogSink } from './logger.ts';

const flushInterval = 100;
const warnLevel = 40;

/**
 * Standard output as the destination of the log. A reader that stalls or ends, or a full disk, can lose log lines but does
 * not affect requests: nothing here blocks a request, throws, or prevents the end of the process.
 *
 * @param formatted turns lines of JSON into the lines that are written; by default they stay JSON
 */
export function standardOutput(formatted?: (lines: string) => string): LogSink {
  const notice = formatted === undefined ? lossNotice : (dropped: number) => formatted(lossNotice(dropped));
  const writer = new BlockWriter(1, notice);
  setInterval(() => writer.handOver(), flushInterval).unref();
  process.on('exit', () => writer.writeRest());
  return {
    stream: {
      write:
        formatted === undefined ? (lines) => writer.write(lines) : (lines) => writer.write(formatted(lines)),
    },
    dropped: () => writer.dropped,
    flush: () => writer.flush(),
  };
}

/** A line in the format of the logger. */
function lossNotice(dropped: number): string {
  const msg =
    'log lines are missing here: the reader of the log was too slow, or the lines could not be written';
  return `${JSON.stringify({ level: warnLevel, time: Date.now(), pid: process.pid, dropped, msg })}\n`;
}

// A separate write for each line cost a third of the throughput.
const blockBytes = 16 * 1024;
// Maximum size of waiting lines. More lines are dropped and counted.
const maxWaitingBytes = 1024 * 1024;
const finalAttempts = 100;
const finalPause = 10;

/**
 * Writes lines to a file descriptor in blocks and never blocks its caller. A block that cannot be written (a full disk, a
 * reader that stalls) waits until the next {@link handOver}, so that lines stay complete and in order. While too many lines
 * wait, new lines are dropped.
 */
class BlockWriter {
  readonly #fd: number;
  readonly #lossNotice: (lines: number) => string;
  readonly #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #lines = '';
  #isWriting = false;
  #dropped = 0;
  #noticed = 0;
  #onAttempt: (() => void)[] = [];

  /** @param lossNotice the line that replaces the given number of dropped lines */
  constructor(fd: number, lossNotice: (lines: number) => string) {
    this.#fd = fd;
    this.#lossNotice = lossNotice;
  }

  /** Lines dropped so far. */
  get dropped(): number {
    return this.#dropped;
  }

  write(line: string): void {
    this.#lines += line;
    if (this.#lines.length >= blockBytes) this.handOver();
  }

  /** Begins to write all waiting lines, also those of a write that failed. */
  handOver(): void {
    this.#closeBlock();
    if (!this.#isWriting) this.#writeFirst();
  }

  /** Resolves when all lines so far are written, or a write has failed. */
  flush(): Promise<void> {
    this.handOver();
    if (!this.#isWriting) return Promise.resolve();
    return new Promise((resolve) => this.#onAttempt.push(resolve));
  }

  /** Writes the rest synchronously at the end of the process, when the process can no longer wait for a promise. */
  writeRest(): void {
    this.#closeBlock();
    // A thread completes the current block, and the process waits for that thread.
    const rest = Buffer.concat(this.#isWriting ? this.#waiting.slice(1) : this.#waiting);
    for (let written = 0, attempt = 0; written < rest.length; ) {
      try {
        written += writeSync(this.#fd, rest, written);
      } catch (error) {
        attempt += 1;
        if (!isSlowReader(error) || attempt > finalAttempts) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, finalPause);
      }
    }
  }

  #closeBlock(): void {
    if (this.#lines === '') return;
    const lines = Buffer.from(this.#lines);
    this.#lines = '';
    if (this.#waitingBytes + lines.length > maxWaitingBytes) {
      this.#dropped += countLines(lines);
      return;
    }
    const lost = this.#dropped - this.#noticed;
    this.#noticed = this.#dropped;
    const block = lost === 0 ? lines : Buffer.concat([Buffer.from(this.#lossNotice(lost)), lines]);
    this.#waiting.push(block);
    this.#waitingBytes += block.length;
  }

  #writeFirst(): void {
    const [block] = this.#waiting;
    if (block === undefined) {
      this.#settle();
      return;
    }
    this.#isWriting = true;
    write(this.#fd, block, (error, written) => {
      this.#isWriting = false;
      if (error !== null) {
        this.#settle();
        return;
      }
      this.#waitingBytes -= written;
      if (written === block.length) this.#waiting.shift();
      else this.#waiting[0] = block.subarray(written);
      this.#writeFirst();
    });
  }

  #settle(): void {
    for (const resolve of this.#onAttempt.splice(0)) resolve();
  }
}

function isSlowReader(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}

function countLines(text: Buffer): number {
  return text.toString().split('\n').length - 1;
}
