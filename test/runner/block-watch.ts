// A test that never lets the event loop go on (`while (await known());`) stops the timers too, and with them its own time limit.
// This thread still runs then, and ends the process, so that a run of all tests always ends.
import { writeSync } from 'node:fs';
import { isMainThread, parentPort, receiveMessageOnPort, Worker, workerData } from 'node:worker_threads';

interface Watched {
  /** A number that changes while the event loop goes on. */
  readonly beats: Int32Array;
  /** Milliseconds without a beat until the process ends. */
  readonly limit: number;
}

if (!isMainThread) watch(workerData);

/**
 * Ends this process when its event loop has stood still for `limit` milliseconds, with an error that names the file.
 *
 * @returns what is told the path of each file before it runs
 */
export function watchForBlocks(limit: number): (file: string) => void {
  const beats = new Int32Array(new SharedArrayBuffer(4));
  const watched: Watched = { beats, limit };
  const thread = new Worker(new URL(import.meta.url), { workerData: watched });
  thread.unref();
  const beat = () => {
    Atomics.add(beats, 0, 1);
    Atomics.notify(beats, 0);
  };
  setInterval(beat, limit / 10).unref();
  return (file) => thread.postMessage(file);
}

function watch({ beats, limit }: Watched): void {
  while (Atomics.wait(beats, 0, Atomics.load(beats, 0), limit) !== 'timed-out');
  writeSync(2, `${lastFile()} has blocked the event loop for ${limit / 1000} seconds\n`);
  process.kill(process.pid, 'SIGKILL');
}

/** This thread reads its messages only here, because it waits all the time. */
function lastFile(): string | undefined {
  let file: string | undefined;
  if (parentPort === null) return file;
  for (let next = receiveMessageOnPort(parentPort); next; next = receiveMessageOnPort(parentPort)) {
    file = next.message;
  }
  return file;
}
