import type { FastifyReply } from 'fastify';

/**
 * The requests that have begun and are not answered. Fastify waits for those of its first address only, and
 * a host name like `localhost` has two.
 */
export class InFlight {
  // Slots that are used again, and not a Set: the tables that a Set outgrows refer to each other, and so
  // requests long answered would survive every collection but a full one.
  readonly #replies: (FastifyReply | undefined)[] = [];
  readonly #free: number[] = [];
  #isClosing = false;
  #onIdle: (() => void)[] = [];

  /** @param onEnd called when the answer is complete, or the client has given up before */
  begin(reply: FastifyReply, onEnd: () => void): void {
    const slot = this.#free.pop() ?? this.#replies.length;
    this.#replies[slot] = reply;
    if (this.#isClosing) reply.header('connection', 'close');
    reply.raw.on('close', () => {
      this.#end(slot);
      onEnd();
    });
  }

  /** From now on every answer asks its client to close the connection. */
  close(): void {
    this.#isClosing = true;
    for (const reply of this.#replies) reply?.header('connection', 'close');
  }

  /** Resolves when none is left. */
  idle(): Promise<void> {
    if (this.#isIdle()) return Promise.resolve();
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }

  #end(slot: number): void {
    this.#replies[slot] = undefined;
    this.#free.push(slot);
    if (this.#isIdle()) for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  #isIdle(): boolean {
    return this.#free.length === this.#replies.length;
  }
}
