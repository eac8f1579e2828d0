import { Server } from 'node:http';

/**
 * A server that can close its port and leave idle connections open. The server of `node:http` ends them, and a request that
 * is in transit would be reset.
 */
export class LingeringServer extends Server {
  #isLingering = false;

  /** Closes the port. Resolves when no connection is left. */
  linger(): Promise<void> {
    this.#isLingering = true;
    return new Promise((resolve) => this.close(() => resolve()));
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
