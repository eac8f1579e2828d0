import { once } from 'node:events';
import type { RequestListener, ServerOptions } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { maxHeadBytes } from './header-limits.ts';
import { LingeringServer } from './lingering-server.ts';

export interface PortOptions {
  /** Seconds within which a request must have arrived whole. */
  readonly requestTimeout: number;
  /** Answers what is not even an HTTP request. */
  refuse(error: Error, socket: Socket): void;
}

const connectionsCheckingInterval = 1000;
// Longer than proxies keep idle connections, because a proxy could otherwise use one that has just ended.
const keepAliveTimeout = 72_000;
// A port that is free at one address of a host can be taken at the other.
const attempts = 10;

/** The open port of the server. The host name `localhost` has two addresses, and each has a server of `node:http`. */
export class Ports {
  readonly #options: PortOptions;
  readonly #servers: LingeringServer[] = [];
  #answer: RequestListener;

  /** @param answer answers requests until {@link answerWith} names another listener */
  constructor(options: PortOptions, answer: RequestListener) {
    this.#options = options;
    this.#answer = answer;
  }

  /**
   * Opens one port at every address that this machine has.
   *
   * @param addresses of one host
   * @param port 0 takes any that is free at all of them
   * @returns the port that is open
   * @throws the error of `node:net` when the port cannot be opened; then none is open
   */
  async open(addresses: readonly string[], port: number): Promise<number> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#openAt(addresses, port);
      } catch (error) {
        await this.close(0);
        if (port !== 0 || attempt === attempts || codeOf(error) !== 'EADDRINUSE') throw error;
      }
    }
  }

  /** From now on `answer` answers each request that begins. */
  answerWith(answer: RequestListener): void {
    this.#answer = answer;
  }

  /**
   * Closes the port. A connection that waits for its next request gets some time for it: a client that keeps its
   * connections busy sends one, and learns from the answer that it was the last.
   */
  async close(lingerMs: number): Promise<void> {
    const { promise: timeUp, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, lingerMs);
    const servers = this.#servers.splice(0);
    const drained = Promise.all(servers.map((server) => server.linger()));
    await Promise.race([drained, timeUp]);
    clearTimeout(timer);
    for (const server of servers) server.endLinger();
  }

  async #openAt(addresses: readonly string[], port: number): Promise<number> {
    let opened = port;
    let missing: unknown;
    for (const address of addresses) {
      try {
        opened = await this.#listen(address, opened);
      } catch (error) {
        // A machine without IPv6 can still name `::1` as an address of `localhost`.
        if (!isMissingAddress(error)) throw error;
        missing ??= error;
      }
    }
    if (this.#servers.length === 0) throw missing;
    return opened;
  }

  async #listen(host: string, port: number): Promise<number> {
    const server = new LingeringServer(this.#serverOptions(), (request, response) =>
      this.#answer(request, response),
    );
    server.on('clientError', this.#options.refuse).listen({ host, port });
    await once(server, 'listening');
    this.#servers.push(server);
    return (server.address() as AddressInfo).port;
  }

  #serverOptions(): ServerOptions {
    const timeout = this.#options.requestTimeout * 1000;
    return {
      maxHeaderSize: maxHeadBytes,
      headersTimeout: timeout,
      requestTimeout: timeout,
      keepAliveTimeout,
      connectionsCheckingInterval,
      // Asked for where the answer can have the common form.
      requireHostHeader: false,
    };
  }
}

function isMissingAddress(error: unknown): boolean {
  return ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
