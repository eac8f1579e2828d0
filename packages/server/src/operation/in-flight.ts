import type { FastifyReply } from 'fastify';

/**
 * The requests that have begun and are not answered. Fastify waits for those of its first address only, and
 * a host name like `localhost` has two.
 */
export class InFlight {
  readonly #replies = new Set<FastifyReply>();
  #isClosing = false;
  #onIdle: (() => void)[] = [];

  begin(reply: FastifyReply): void {
    this.#replies.add(reply);
    if (this.#isClosing) reply.header('connection', 'close');
    // Emitted when the answer is complete, and when the client gives up before.
    reply.raw.once('close', () => this.#end(reply));
  }

  /** From now on every answer asks its client to close the connection. */
  close(): void {
    this.#isClosing = true;
    for (const reply of this.#replies) reply.header('connection', 'close');
  }

  /** Resolves when none is left. */
  idle(): Promise<void> {
    if (this.#replies.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }

  #end(reply: FastifyReply): void {
    this.#replies.delete(reply);
    if (this.#replies.size === 0) for (const resolve of this.#onIdle.splice(0)) resolve();
  }
}
