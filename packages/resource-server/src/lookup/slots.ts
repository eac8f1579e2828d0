import { AuthorizationServerUnavailable } from '../errors.ts';
import type { Clocks, Timers } from '../system.ts';

/** Maximum number of simultaneous lookups: enough to keep a server busy, and few enough for the sockets of both sides. */
export const maxRunning = 64;
const maxWaiting = 10_000;

interface Slot {
  readonly until: number;
}

/** Bounds how many lookups run at a time; others wait in line. */
export class Slots {
  readonly #deps: Pick<Clocks, 'monotonic'> & Timers;
  // In the order in which they began.
  readonly #running = new Set<Slot>();
  readonly #waiting = new Set<() => void>();

  constructor(deps: Pick<Clocks, 'monotonic'> & Timers) {
    this.#deps = deps;
  }

  /**
   * Resolves with the function that gives the slot back.
   * @param wait milliseconds to wait at most
   * @param hold milliseconds after which a slot that was not given back is lost
   * @throws AuthorizationServerUnavailable `overloaded`
   */
  async take(wait: number, hold: number): Promise<() => void> {
    this.#dropLost();
    this.#serveWaiting();
    if (this.#running.size < maxRunning) return this.#start(hold);
    if (this.#waiting.size >= maxWaiting) throw new AuthorizationServerUnavailable('overloaded');
    return new Promise((resolve, reject) => {
      const stopWaiting = this.#deps.after(wait, () => {
        this.#waiting.delete(proceed);
        reject(new AuthorizationServerUnavailable('overloaded'));
      });
      const proceed = () => {
        stopWaiting();
        resolve(this.#start(hold));
      };
      this.#waiting.add(proceed);
    });
  }

  #start(hold: number): () => void {
    const slot = { until: this.#deps.monotonic() + hold };
    this.#running.add(slot);
    return () => {
      this.#running.delete(slot);
      this.#serveWaiting();
    };
  }

  #serveWaiting(): void {
    for (const proceed of this.#waiting) {
      if (this.#running.size >= maxRunning) break;
      this.#waiting.delete(proceed);
      proceed();
    }
  }

  // Workers end a request together with all that it awaits. Then no code gives the slot back.
  #dropLost(): void {
    for (const slot of this.#running) {
      if (slot.until > this.#deps.monotonic()) break;
      this.#running.delete(slot);
    }
  }
}
