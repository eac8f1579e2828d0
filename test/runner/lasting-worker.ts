import { EventEmitter } from 'node:events';
import { MessageChannel, type MessagePort, Worker as Thread } from 'node:worker_threads';

interface Options {
  readonly workerData: { readonly module: string };
}

/** What serves databases: a thread, or this one. */
interface Server {
  on(event: string, listener: (value: unknown) => void): this;
  once(event: string, listener: (value: unknown) => void): this;
  off(event: string, listener: (value: unknown) => void): this;
  listeners(event: string): unknown[];
  postMessage(database: Database, transferred: readonly MessagePort[]): void;
  ref(): void;
  terminate(): Promise<number>;
  /** Lets it serve the next database. */
  giveBack(): void;
}

interface Database extends Options {
  readonly port: MessagePort;
}

const lastingThread = new URL('./lasting-thread.js', import.meta.url);
const idle: LastingThread[] = [];
let hasThreads = true;

/** Says whether databases that are opened from now on get threads, or are served by this one. */
export function giveThreads(value: boolean): void {
  hasThreads = value;
}

/** Whether the next database gets a thread. */
export function givesThreads(): boolean {
  return hasThreads;
}

/**
 * What the database of a test gets as `Worker` of `node:worker_threads`. Its thread serves the next database after this one,
 * because the start of a thread takes half of the processor time of an empty server.
 */
export class Worker extends EventEmitter {
  readonly #thread: Server;
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

class LastingThread extends Thread implements Server {
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

/**
 * Serves a database in this thread, by the same messages: changing to another thread for each of them takes longer than what most
 * tests ask of a database.
 */
class ThisThread extends EventEmitter implements Server {
  #port: MessagePort | undefined;

  async postMessage({ port, workerData }: Database): Promise<void> {
    this.#port = port.once('close', () => this.emit('message', 'served'));
    const { servePort } = await import(workerData.module);
    servePort(port);
  }

  async terminate(): Promise<number> {
    this.#port?.close();
    this.emit('exit', 1);
    return 1;
  }

  ref(): void {}

  giveBack(): void {}
}

/** The event `worker` tells of each thread that a database gets, as it does when all of them are new. */
function nextThread(): Server {
  if (!hasThreads) return new ThisThread();
  const thread = idle.pop();
  if (thread === undefined) return new LastingThread();
  process.emit('worker', thread);
  return thread;
}
