import type { Socket } from 'node:net';
import type { Siblings } from '../runtime/siblings.ts';
import type { Assignment, Order, PortName, Report } from './messages.ts';
import { SiblingChannel } from './sibling-channel.ts';

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
