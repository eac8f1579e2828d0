import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Accepted, Taker } from './distribution.ts';
import type { Assignment, Order, Report, ServerFacts } from './messages.ts';
import { WorkerError } from './worker-error.ts';
import type { Pinged } from './worker-watch.ts';

const program = fileURLToPath(new URL('../../bin/watchword.js', import.meta.url));

/** How a worker ended. */
export interface WorkerEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it could not start, if it could not. */
  readonly error: WorkerError | undefined;
}

export interface WorkerEvents {
  /** Any report that the worker process does not handle by itself. */
  reported(worker: WorkerProcess, report: Report): void;
}

/** A worker, as the main process knows it. */
export class WorkerProcess implements Taker, Pinged {
  readonly number: number;
  /** Lines of JSON. */
  readonly log: Readable;
  /** Resolves when the worker can answer requests. @throws WorkerError */
  readonly ready: Promise<ServerFacts>;
  /** Resolves when the process has ended, and all that it sent has been read. */
  readonly ended: Promise<WorkerEnd>;
  #open = 0;
  #error: WorkerError | undefined;
  readonly #child: ChildProcess;

  constructor(assignment: Assignment, { reported }: WorkerEvents) {
    this.number = assignment.number;
    this.#child = fork(program, ['worker'], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      // Keeps every type of the configuration.
      serialization: 'advanced',
    });
    this.log = this.#child.stdout as Readable;
    const ready = Promise.withResolvers<ServerFacts>();
    // A worker that is replaced later has nobody who waits for it.
    ready.promise.catch(() => {});
    this.ready = ready.promise;
    this.#child.on('message', (report: Report) => {
      if (report.kind === 'loaded') {
        this.send({ kind: 'assignment', assignment });
        reported(this, report);
      } else if (report.kind === 'ready') ready.resolve(report.facts);
      else if (report.kind === 'failed') this.#error = new WorkerError(report.text, report.exitCode);
      else this.#handle(report, reported);
    });
    this.ended = this.#untilEnd();
    this.ended.then((end) => ready.reject(end.error ?? unexplained(end)));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get open(): number {
    return this.#open;
  }

  take({ port, connection }: Accepted): void {
    this.#open += 1;
    this.send({ kind: 'connection', port }, connection);
  }

  /** What is sent to a worker that has ended is lost. */
  send(order: Order, connection?: Socket): void {
    if (!this.#child.connected) return;
    // The handle stays open here, so that another worker can get the connection if this one dies.
    this.#child.send(order, connection, { keepOpen: true }, () => {});
  }

  kill(reason?: string): void {
    if (reason !== undefined) this.#error ??= new WorkerError(reason, 1);
    this.#child.kill('SIGKILL');
  }

  #handle(report: Report, reported: WorkerEvents['reported']): void {
    if (report.kind === 'taken' || report.kind === 'open') this.#open = report.open;
    reported(this, report);
  }

  #untilEnd(): Promise<WorkerEnd> {
    return new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null) => {
        resolve({ code, signal, error: this.#error });
      };
      this.#child.once('close', end);
      // It could not be started at all.
      this.#child.once('error', (error) => {
        this.#error ??= new WorkerError(`a worker process cannot be started: ${error.message}`, 1);
        if (this.#child.pid === undefined) end(null, null);
      });
    });
  }
}

function unexplained({ code, signal }: WorkerEnd): WorkerError {
  return new WorkerError(
    `A worker process ended before it could answer requests, ${signal === null ? `with exit code ${code}` : `by ${signal}`}. Its messages stand above, if it had any.`,
    1,
  );
}
