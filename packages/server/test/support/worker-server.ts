import assert from 'node:assert/strict';
import { type RunningServer, startProcess } from '@watchword/server-testkit/processes/process';

/** Requests with these headers get connections of their own, so that they reach several workers. */
export const close = { connection: 'close' };

/** A server of several processes on a database of PostgreSQL, with the demo records. */
export function startWorkers(
  url: string,
  workers: number,
  ...args: readonly string[]
): Promise<RunningServer> {
  const where = ['--host', '127.0.0.1', '--port', '0', '--database', url];
  return startProcess(['--demo', 'small', ...where, '--workers', String(workers), ...args]);
}

interface Line {
  readonly pid: number;
  readonly worker?: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** The lines of the log. Fails if one of them is not whole. */
export function linesOf({ log }: RunningServer): Line[] {
  const lines = log().split('\n');
  assert.equal(lines.pop(), '', 'the log ends within a line');
  return lines.map((line) => JSON.parse(line));
}

/** The process ids of the workers that are ready, by number. */
export function workerPids(server: RunningServer): Map<unknown, number> {
  const ready = linesOf(server).filter(({ msg }) => msg === 'a worker is ready');
  return new Map(ready.map(({ worker, workerPid }) => [worker, Number(workerPid)]));
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
