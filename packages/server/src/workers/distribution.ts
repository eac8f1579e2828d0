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
  /** With the connection that each was given and has not reported. The one that was given a connection last is the last. */
  readonly #takers = new Map<Taker, Accepted | undefined>();
  /** They get no more connections. */
  readonly #leaving = new Set<Taker>();
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

  /** The worker begins to end. It still takes the connection that it was given. */
  leave(taker: Taker): void {
    if (this.#takers.get(taker) === undefined) this.#takers.delete(taker);
    else this.#leaving.add(taker);
    this.#distribute();
  }

  /** The worker has ended. Another one gets the connection that it has not taken. */
  remove(taker: Taker): void {
    const accepted = this.#takers.get(taker);
    this.#takers.delete(taker);
    this.#leaving.delete(taker);
    if (accepted !== undefined) this.#waiting.unshift(accepted);
    this.#distribute();
  }

  accept(accepted: Accepted): void {
    // An error of the connection is one of its client.
    accepted.connection.on('error', () => {});
    this.#waiting.push(accepted);
    this.#distribute();
  }

  /** The worker has the connection. */
  taken(taker: Taker): void {
    // Closes the handle of this process only.
    this.#takers.get(taker)?.connection.destroy();
    if (this.#leaving.delete(taker)) this.#takers.delete(taker);
    else if (this.#takers.has(taker)) this.#takers.set(taker, undefined);
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

  /** The free worker with the fewest connections. */
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
