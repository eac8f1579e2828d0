import { Server } from 'node:http';

/**
 * A server that can close its port without ending the connections that wait for their next request, as `node:http`
 * does: such a request may be on its way, and would be reset.
 */
export class LingeringServer extends Server {
  #isLingering = false;

  /** Closes the port. Resolves when no connection is left. */
  linger(): Promise<void> {
    this.#isLingering = true;
    return new Promise((resolve) => this.close(() => resolve()));
  }

  /** Ends the connections that still wait. */
  endLinger(): void {
    this.#isLingering = false;
    this.closeIdleConnections();
  }

  /** `node:http` calls it when the port closes. */
  override closeIdleConnections(): void {
    if (!this.#isLingering) super.closeIdleConnections();
  }
}
