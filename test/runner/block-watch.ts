// A test that never lets the event loop go on (`while (await known());`) stops the timers too, and with them its own time limit.
// This thread still runs then, and ends the process, so that a run of all tests always ends.
import { writeSync } from 'node:fs';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

interface Watched {
  /** One number that changes while the event loop goes on, and the index of the test file. */
  readonly beats: Int32Array;
  readonly files: readonly string[];
  /** Milliseconds without a beat until the process ends. */
  readonly limit: number;
}

if (!isMainThread) watch(workerData);

/**
 * Ends this process when its event loop has stood still for `limit` milliseconds, with an error that names the file.
 *
 * @returns what tells the index of each file before it runs
 */
export function watchForBlocks(files: readonly string[], limit: number): (index: number) => void {
  const beats = new Int32Array(new SharedArrayBuffer(8));
  const watched: Watched = { beats, files, limit };
  new Worker(new URL(import.meta.url), { workerData: watched }).unref();
  const beat = () => {
    Atomics.add(beats, 0, 1);
    Atomics.notify(beats, 0);
  };
  setInterval(beat, limit / 10).unref();
  return (index) => Atomics.store(beats, 1, index);
}

function watch({ beats, files, limit }: Watched): void {
  while (Atomics.wait(beats, 0, Atomics.load(beats, 0), limit) !== 'timed-out');
  writeSync(2, `${files[Atomics.load(beats, 1)]} has blocked the event loop for ${limit / 1000} seconds\n`);
  process.kill(process.pid, 'SIGKILL');
}
