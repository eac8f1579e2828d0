import { EventEmitter } from 'node:events';
import { MessageChannel, type MessagePort, Worker as Thread } from 'node:worker_threads';

interface Options {
  readonly workerData: { readonly module: string };
}

const lastingThread = new URL('./lasting-thread.js', import.meta.url);
const idle: LastingThread[] = [];

/**
 * What the database of a test gets as `Worker` of `node:worker_threads`. Its thread serves the next database after this one,
 * because the start of a thread takes half of the processor time of an empty server.
 */
export class Worker extends EventEmitter {
  readonly #thread: LastingThread;
  readonly #port: MessagePort;

  constructor(_file: string, { workerData }: Options) {
    super();
    const { port1, port2 } = new MessageChannel();
    const thread = nextThread();
    const fail = (error: unknown) => this.emit('error', error);
    const leave = () => {
      if (thread.listeners('exit').includes(leave)) this.emit('exit');
      thread.off('error', fail).off('exit', leave);
    };
    thread.on('error', fail).on('exit', leave);
    port1.on('message', (message) => this.emit('message', message));
    // The port of a thread that was ended closes too. Only one that serves on says so, and its event can overtake the last message.
    const closed = new Promise((resolve) => port1.once('close', resolve));
    const served = new Promise((resolve) => thread.once('message', resolve));
    Promise.all([closed, served]).then(() => {
      leave();
      thread.giveBack();
    });
    thread.ref();
    thread.postMessage({ port: port2, workerData }, [port2]);
    this.#thread = thread;
    this.#port = port1;
  }

  postMessage(message: unknown): void {
    this.#port.postMessage(message);
  }

  terminate(): Promise<number> {
    return this.#thread.terminate();
  }
}

class LastingThread extends Thread {
  #isEnding = false;

  constructor() {
    super(lastingThread);
    this.once('exit', () => this.#end());
  }

  giveBack(): void {
    this.unref();
    if (!this.#isEnding) idle.push(this);
  }

  /** A test can end a thread, also one that it does not use any more. Until its exit it looks like one that serves. */
  override terminate(): Promise<number> {
    this.#end();
    return super.terminate();
  }

  #end(): void {
    this.#isEnding = true;
    const index = idle.indexOf(this);
    if (index !== -1) idle.splice(index, 1);
  }
}

/** The event `worker` tells of each thread that a database gets, as it does when all of them are new. */
function nextThread(): LastingThread {
  const thread = idle.pop();
  if (thread === undefined) return new LastingThread();
  process.emit('worker', thread);
  return thread;
}
