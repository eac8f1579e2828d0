import { EventEmitter } from 'node:events';
import { MessageChannel, type MessagePort, Worker as Thread } from 'node:worker_threads';

interface Options {
  readonly workerData: { readonly module: string };
}

const lastingThread = new URL('./lasting-thread.js', import.meta.url);
const idle: Thread[] = [];

/**
 * What the database of a test gets as `Worker` of `node:worker_threads`. Its thread serves the next database after this one,
 * because the start of a thread takes half of the processor time of an empty server.
 */
export class Worker extends EventEmitter {
  readonly #thread: Thread;
  readonly #port: MessagePort;
  #isEnded = false;

  constructor(_file: string, { workerData }: Options) {
    super();
    const { port1, port2 } = new MessageChannel();
    const thread = nextThread();
    const fail = (error: unknown) => {
      this.#isEnded = true;
      this.emit('error', error);
    };
    const leave = () => {
      thread.off('error', fail).off('exit', leave);
      this.emit('exit');
    };
    const giveBack = () => {
      leave();
      if (this.#isEnded) return;
      thread.unref();
      idle.push(thread);
    };
    thread.on('error', fail).on('exit', leave);
    port1.on('message', (message) => this.emit('message', message));
    // After the last message, while an event of the thread can overtake it.
    port1.on('close', giveBack);
    thread.ref();
    thread.postMessage({ port: port2, workerData }, [port2]);
    this.#thread = thread;
    this.#port = port1;
  }

  postMessage(message: unknown): void {
    this.#port.postMessage(message);
  }

  terminate(): Promise<number> {
    this.#isEnded = true;
    return this.#thread.terminate();
  }
}

/** The event `worker` tells of each thread that a database gets, as it does when all of them are new. */
function nextThread(): Thread {
  const thread = idle.pop();
  if (thread === undefined) return newThread();
  process.emit('worker', thread);
  return thread;
}

function newThread(): Thread {
  const thread = new Thread(lastingThread);
  // A test can end one. Its port closes first, so that it looks like one that serves again.
  thread.once('exit', () => {
    const index = idle.indexOf(thread);
    if (index !== -1) idle.splice(index, 1);
  });
  return thread;
}
