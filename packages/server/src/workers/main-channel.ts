import type { Socket } from 'node:net';
import type { Question, Siblings, Topic } from '../runtime/nodes/siblings.ts';
import type { Assignment, Order, PortName, Report } from './messages.ts';

// Milliseconds. Connections that close are reported together.
const reportInterval = 50;

/** The channel of a worker to the main process. */
export class MainChannel {
  readonly assignment: Promise<Assignment>;
  /** Resolves with the reason when the worker is asked to end. */
  readonly endRequest: Promise<string>;
  readonly #receivers = new Map<PortName, (connection: Socket) => void>();
  #open = 0;
  readonly #siblings = new SiblingChannel((report) => this.report(report));
  #isReporting = false;
  #reload: () => void = () => {};

  /** Whether the main process of a server has started this process. */
  static get isPossible(): boolean {
    return process.send !== undefined;
  }

  constructor() {
    // A terminal sends it to the main process too, which then asks the workers to end.
    process.on('SIGINT', () => {});
    const assignment = Promise.withResolvers<Assignment>();
    const endRequest = Promise.withResolvers<string>();
    this.assignment = assignment.promise;
    this.endRequest = endRequest.promise;
    process.on('SIGTERM', () => endRequest.resolve('SIGTERM'));
    process.once('disconnect', () => endRequest.resolve('the main process of the server has ended'));
    process.on('message', (order: Order, connection?: Socket) => {
      if (order.kind === 'assignment') assignment.resolve(order.assignment);
      else if (order.kind === 'reload') this.#reload();
      else if (order.kind === 'end') endRequest.resolve(order.reason);
      else if (order.kind === 'connection') this.#receive(order.port, connection);
      else this.#siblings.handle(order);
    });
    this.report({ kind: 'loaded' });
  }

  /** @param count number of workers */
  siblings(count: number): Siblings {
    return this.#siblings.of(count);
  }

  /** @param receive is given each connection to the port */
  receiveAt(port: PortName, receive: (connection: Socket) => void): void {
    this.#receivers.set(port, receive);
  }

  /** @param reload called when the main process asks for it */
  onReload(reload: () => void): void {
    this.#reload = reload;
  }

  /** What is sent when the main process has ended is lost. */
  report(report: Report): void {
    if (process.connected) process.send?.(report, undefined, {}, () => {});
  }

  /** Resolves when the main process has the report. */
  reportLast(report: Report): Promise<void> {
    return new Promise((resolve) => {
      if (process.connected) process.send?.(report, undefined, {}, () => resolve());
      else resolve();
    });
  }

  /** A worker that could not start ends. */
  close(): void {
    if (process.connected) process.disconnect?.();
  }

  /** `connection` is absent if its client has closed it meanwhile. */
  #receive(port: PortName, connection: Socket | undefined): void {
    if (connection !== undefined) {
      this.#open += 1;
      connection.once('close', () => {
        this.#open -= 1;
        this.#reportSoon();
      });
    }
    // Before anything is read: what was read cannot be given to another worker.
    this.report({ kind: 'taken', open: this.#open });
    if (connection === undefined) return;
    const receive = this.#receivers.get(port);
    if (receive === undefined) connection.destroy();
    else receive(connection);
  }

  #reportSoon(): void {
    if (this.#isReporting) return;
    this.#isReporting = true;
    setTimeout(() => {
      this.#isReporting = false;
      this.report({ kind: 'open', open: this.#open });
    }, reportInterval).unref();
  }
}

type SiblingOrder = Extract<Order, { kind: 'question' | 'answers' | 'news' | 'ping' }>;

/** The other workers, as a worker reaches them: by the main process. */
class SiblingChannel {
  readonly #report: (report: Report) => void;
  readonly #answers = new Map<string, (argument: unknown) => unknown>();
  readonly #listeners = new Map<string, (news: never) => void>();
  readonly #asked = new Map<number, (answers: readonly unknown[]) => void>();
  #lastId = 0;
  #silent = 0;

  constructor(report: (report: Report) => void) {
    this.#report = report;
  }

  handle(order: SiblingOrder): void {
    if (order.kind === 'news') this.#listeners.get(order.name)?.(order.news as never);
    else if (order.kind === 'question') void this.#answer(order);
    else if (order.kind === 'ping') this.#live(order.silent);
    else {
      this.#asked.get(order.id)?.(order.answers);
      this.#asked.delete(order.id);
    }
  }

  /** @param count number of workers */
  of(count: number): Siblings {
    const ask = (name: string, of: 'all' | 'one', argument: unknown) => this.#ask(name, of, argument);
    return {
      count,
      silent: () => this.#silent,
      answer: ({ name }, answer) => void this.#answers.set(name, answer),
      askAll: async <Answer>({ name }: Question<Answer>, argument?: unknown) =>
        (await ask(name, 'all', argument)) as Answer[],
      askOne: async <Answer>({ name }: Question<Answer>) =>
        (await ask(name, 'one', undefined))[0] as Answer | undefined,
      tell: ({ name }, news) => this.#report({ kind: 'news', name, news }),
      listen: <News>({ name }: Topic<News>, listener: (news: News) => void) =>
        void this.#listeners.set(name, listener),
    };
  }

  #live(silent: number): void {
    this.#silent = silent;
    this.#report({ kind: 'alive' });
  }

  #ask(name: string, of: 'all' | 'one', argument: unknown): Promise<readonly unknown[]> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#asked.set(id, resolve);
      this.#report({ kind: 'ask', id, name, argument, of });
    });
  }

  async #answer({ id, name, argument }: Extract<Order, { kind: 'question' }>): Promise<void> {
    try {
      this.#report({ kind: 'answer', id, answer: await this.#answers.get(name)?.(argument) });
    } catch {
      // The answers then do not have the one of this process.
      this.#report({ kind: 'answer', id, answer: undefined });
    }
  }
}
