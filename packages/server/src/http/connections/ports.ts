import type { Socket } from 'node:net';
import { openPort } from './open-port.ts';
import { PortServer, type PortServerOptions } from './port-server.ts';
import type { RequestAnswerer } from './received-request.ts';

/** The open port of the server. The host name `localhost` has two addresses, each with its own server. */
export class Ports {
  readonly #options: PortServerOptions;
  readonly #servers: PortServer[] = [];
  #answer: RequestAnswerer;

  /** @param answer answers requests until {@link answerWith} names another function */
  constructor(options: PortServerOptions, answer: RequestAnswerer) {
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
    this.#servers.push(server);
    return (connection) => server.receive(connection);
  }

  /** `answer` answers all requests that begin after this call. */
  answerWith(answer: RequestAnswerer): void {
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

  async #listen(host: string, wanted: number): Promise<number> {
    const server = this.#newServer();
    const port = await server.listen(host, wanted);
    this.#servers.push(server);
    return port;
  }

  #newServer(): PortServer {
    return new PortServer(this.#options, (request) => this.#answer(request));
  }
}
