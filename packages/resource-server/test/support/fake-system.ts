import { type System, system } from '../../src/platform/system.ts';

interface Timer {
  readonly due: number;
  readonly callback: () => void;
}

/** The machine with clocks and timers that stand still until a test moves them; the network is real. */
export class FakeSystem implements System {
  readonly warnings: string[] = [];
  readonly #timers = new Set<Timer>();
  #wall = Date.UTC(2026, 0, 1);
  #monotonic = 0;
  fetch = system.fetch;
  digest: System['digest'] = system.digest;
  random = () => 0.5;

  now = () => this.#wall;
  monotonic = () => this.#monotonic;
  warn = (message: string) => void this.warnings.push(message);

  after = (milliseconds: number, callback: () => void) => {
    const timer = { due: this.#monotonic + milliseconds, callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  };

  get timers(): number {
    return this.#timers.size;
  }

  /** Lets time pass by both clocks, and timers ring. */
  advance(milliseconds: number): void {
    this.#wall += milliseconds;
    this.#monotonic += milliseconds;
    for (const timer of [...this.#timers].sort((a, b) => a.due - b.due)) {
      if (timer.due <= this.#monotonic && this.#timers.delete(timer)) timer.callback();
    }
  }

  /** Sets the clock of the day forward or back; no time passes. */
  setClock(milliseconds: number): void {
    this.#wall += milliseconds;
  }

  /** Lets the machine sleep: the monotonic clock stands still meanwhile. */
  sleep(milliseconds: number): void {
    this.#wall += milliseconds;
  }

  /** Whether a timer is set that rings in so many milliseconds. */
  isWaitingFor(milliseconds: number): boolean {
    return [...this.#timers].some(({ due }) => due === this.#monotonic + milliseconds);
  }

  /** Resolves once so many timers are set. */
  async timersSet(count: number): Promise<void> {
    while (this.#timers.size < count) await new Promise((resolve) => setImmediate(resolve));
  }
}
