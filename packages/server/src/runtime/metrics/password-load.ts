import type { PasswordLoad } from '@watchword/protocol';
import type { Logger } from '../log/logger.ts';
import { described } from './descriptions.ts';
import { Counter, Gauge, type Registry } from './prom-client.ts';

// Milliseconds.
const pause = 60_000;

/** Counts passwords that are refused because too many wait, and warns of them, at most once a minute. */
export class RefusedPasswords {
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #now: () => number;
  #warned = Number.NEGATIVE_INFINITY;
  #unreported = 0;
  /** Since the start. */
  count = 0;

  /** @param now milliseconds, on no clock that is set */
  constructor(logger: Pick<Logger, 'warn'>, now: () => number = () => performance.now()) {
    this.#logger = logger;
    this.#now = now;
  }

  add({ running, waiting, limit }: PasswordLoad): void {
    this.count += 1;
    this.#unreported += 1;
    if (this.#now() - this.#warned < pause) return;
    this.#logger.warn(
      { refused: this.#unreported, running, waiting, limit },
      'passwords are refused, because too many wait to be hashed: their users are asked to try again. If many users log in, give the server more processors, or raise passwordHashing.concurrency; if one address guesses, block it at the proxy',
    );
    this.#warned = this.#now();
    this.#unreported = 0;
  }
}

/** @param load of the queue, when the metrics are read @param refused since the start */
export function observePasswords(registry: Registry, load: () => PasswordLoad, refused: () => number): void {
  new Gauge({
    ...described('watchword_password_hashings'),
    registers: [registry],
    collect() {
      const { running, waiting, limit } = load();
      this.set({ state: 'running' }, running);
      this.set({ state: 'waiting' }, waiting);
      this.set({ state: 'limit' }, limit);
    },
  });
  new Counter({
    ...described('watchword_passwords_refused_total'),
    registers: [registry],
    collect() {
      this.reset();
      this.inc(refused());
    },
  });
}
