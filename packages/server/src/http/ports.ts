import type { RequestListener, ServerOptions } from 'node:http';
import { LingeringServer } from './lingering-server.ts';

/** The servers of one application. A host name like `localhost` has two addresses, and each has its own. */
export class Ports {
  readonly #servers: LingeringServer[] = [];

  open(options: ServerOptions, answer: RequestListener): LingeringServer {
    const server = new LingeringServer(options, answer);
    this.#servers.push(server);
    return server;
  }

  /**
   * Closes the port. Connections that wait for their next request get some time for it: whoever keeps connections
   * busy sends one, and learns by its answer that it was the last.
   */
  async close(lingerMs: number): Promise<void> {
    const { promise: timeUp, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, lingerMs);
    const drained = Promise.all(this.#servers.map((server) => server.linger()));
    await Promise.race([drained, timeUp]);
    clearTimeout(timer);
    for (const server of this.#servers) server.endLinger();
  }
}
