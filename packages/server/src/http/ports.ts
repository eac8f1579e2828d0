import { once } from 'node:events';
import type { RequestListener, ServerOptions } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { maxHeadBytes } from './header-limits.ts';
import { LingeringServer } from './lingering-server.ts';
import { openPort } from './open-port.ts';

export interface PortOptions {
  /** Seconds within which a complete request must arrive. */
  readonly requestTimeout: number;
  /** Answers a connection that sends no valid HTTP. */
  reject(error: Error, socket: Socket): void;
}

const connectionsCheckingInterval = 1000;
// Longer than proxies keep idle connections. Otherwise a proxy could use a connection that has just ended.
const keepAliveTimeout = 72_000;

/** The open port of the server. The host name `localhost` has two addresses, each with its own server of `node:http`. */
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
   * Opens one port at every given address that this machine has.
   *
   * @param addresses of one host
   * @param port 0 for any port that is free at all addresses
   * @returns the open port
   * @throws the error of `node:net` if the port cannot be opened; then it is closed at all addresses
   */
  open(addresses: readonly string[], port: number): Promise<number> {
    return openPort(
      { listen: (address, wanted) => this.#listen(address, wanted), close: () => this.close(0) },
      addresses,
      port,
    );
  }

  /** Answers connections that another process has accepted. @returns the function that is given each of them */
  receive(): (connection: Socket) => void {
    const server = this.#newServer();
    server.expectConnections();
    this.#servers.push(server);
    return (connection) => server.receive(connection);
  }

  /** `answer` answers all requests that begin after this call. */
  answerWith(answer: RequestListener): void {
    this.#answer = answer;
  }

  /**
   * Closes the port. An idle connection stays open for some time: a client that reuses it sends one more request, and the
   * answer closes the connection.
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

  async #listen(host: string, port: number): Promise<number> {
    const server = this.#newServer().listen({ host, port });
    await once(server, 'listening');
    this.#servers.push(server);
    return (server.address() as AddressInfo).port;
  }

  #newServer(): LingeringServer {
    const server = new LingeringServer(this.#serverOptions(), (request, response) =>
      this.#answer(request, response),
    );
    return server.on('clientError', this.#options.reject);
  }

  #serverOptions(): ServerOptions {
    const timeout = this.#options.requestTimeout * 1000;
    return {
      maxHeaderSize: maxHeadBytes,
      headersTimeout: timeout,
      requestTimeout: timeout,
      keepAliveTimeout,
      connectionsCheckingInterval,
      // `headerError` checks the Host header, so that the error has the usual form.
      requireHostHeader: false,
      // A request without a body gets no stream that must end: 0.14 us for each (docs/adr/0056).
      optimizeEmptyRequests: true,
    };
  }
}
