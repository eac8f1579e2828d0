import type { Socket } from 'node:net';
import { Server } from './node-http.ts';

/**
 * A server that can close its port and leave idle connections open. The server of `node:http` ends them, and a request that
 * is in transit would be reset. Instead of opening a port, it can answer the connections that another process has accepted.
 */
export class LingeringServer extends Server {
  #isLingering = false;
  /** Connections that another process has accepted; `node:http` counts only its own. */
  readonly #received = new Set<Socket>();
  #onEmpty = () => {};

  /** Prepares for {@link receive}, instead of `listen`. */
  expectConnections(): void {
    // `node:http` begins with this event to check the time limits of requests.
    this.emit('listening');
  }

  /** Answers a connection that another process has accepted. */
  receive(connection: Socket): void {
    // As for the connections that `node:http` accepts: a client can end its side when it has sent its request.
    connection.allowHalfOpen = true;
    this.#received.add(connection);
    connection.once('close', () => {
      this.#received.delete(connection);
      if (this.#received.size === 0) this.#onEmpty();
    });
    this.emit('connection', connection);
  }

  /** Closes the port. Resolves when no connection is left. */
  async linger(): Promise<void> {
    this.#isLingering = true;
    await new Promise<void>((resolve) => this.close(() => resolve()));
    if (this.#received.size > 0) await new Promise<void>((resolve) => (this.#onEmpty = resolve));
  }

  /** Ends the connections that are still idle. */
  endLinger(): void {
    this.#isLingering = false;
    this.closeIdleConnections();
  }

  /** `node:http` calls this method when the port closes. */
  override closeIdleConnections(): void {
    if (!this.#isLingering) super.closeIdleConnections();
  }
}
