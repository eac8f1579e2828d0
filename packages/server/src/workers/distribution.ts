import type { Socket } from 'node:net';
import type { PortName } from './messages.ts';

/** A connection that no worker has yet. */
export interface Accepted {
  readonly port: PortName;
  readonly connection: Socket;
}

/** A worker that takes connections, one at a time: it reports each before it is given the next. */
export interface Taker {
  /** Connections that it reported last. */
  readonly open: number;
  take(accepted: Accepted): void;
}

/**
 * Gives each connection to the worker with the fewest open connections, and to workers with the same number in turn. The main
 * process keeps its own handle of a connection until the worker reports it. So when a worker dies, its connections are lost, but
 * none that it has not begun to read.
 */
export class Distribution {
  readonly #takers = new Map<Taker, Accepted | undefined>();
  readonly #waiting: Accepted[] = [];
  readonly #answerStarting: (accepted: Accepted) => void;
  #onIdle: (() => void)[] = [];

  /** @param answerStarting is given a connection while there is no worker */
  constructor(answerStarting: (accepted: Accepted) => void) {
    this.#answerStarting = answerStarting;
  }

  add(taker: Taker): void {
    this.#takers.set(taker, undefined);
    this.#distribute();
  }

  /** The worker begins to end, or has ended. @param hasEnded it reports no more connections */
  remove(taker: Taker, hasEnded: boolean): void {
    const accepted = this.#takers.get(taker);
    if (accepted === undefined) this.#takers.delete(taker);
    else if (hasEnded) {
      this.#takers.delete(taker);
      this.#waiting.unshift(accepted);
    }
    this.#distribute();
  }

  accept(accepted: Accepted): void {
    accepted.connection.on('error', () => {});
    this.#waiting.push(accepted);
    this.#distribute();
  }

  /** The worker has the connection. */
  taken(taker: Taker): void {
    // Closes the handle of this process only.
    this.#takers.get(taker)?.connection.destroy();
    if (this.#takers.has(taker)) this.#takers.set(taker, undefined);
    this.#distribute();
  }

  /** Resolves when no connection waits for a worker. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle.push(resolve);
      this.#distribute();
    });
  }

  #distribute(): void {
    while (this.#waiting.length > 0) {
      if (this.#takers.size === 0) {
        for (const accepted of this.#waiting.splice(0)) this.#answerStarting(accepted);
        break;
      }
      const taker = this.#next();
      if (taker === undefined) return;
      this.#give(taker);
    }
    if ([...this.#takers.values()].every((accepted) => accepted === undefined)) {
      for (const resolve of this.#onIdle.splice(0)) resolve();
    }
  }

  /** The free worker with the fewest connections. A map keeps its order: the worker that took one last is the last. */
  #next(): Taker | undefined {
    let next: Taker | undefined;
    for (const [taker, accepted] of this.#takers) {
      if (accepted === undefined && (next === undefined || taker.open < next.open)) next = taker;
    }
    return next;
  }

  #give(taker: Taker): void {
    const accepted = this.#waiting.shift();
    if (accepted === undefined) return;
    this.#takers.delete(taker);
    this.#takers.set(taker, accepted);
    taker.take(accepted);
  }
}
