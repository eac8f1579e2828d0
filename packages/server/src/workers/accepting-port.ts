import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { openPort } from '../http/connections/open-port.ts';
import { acceptedConnections } from '../http/connections/port-server.ts';

/** A port whose connections other processes answer. */
export class AcceptingPort {
  readonly #servers: Server[] = [];
  readonly #onConnection: (connection: Socket) => void;

  /** @param onConnection is given each connection, from which nothing is read */
  constructor(onConnection: (connection: Socket) => void) {
    this.#onConnection = onConnection;
  }

  /** As `open` of `Ports`. */
  open(addresses: readonly string[], port: number): Promise<number> {
    return openPort(
      { listen: (address, wanted) => this.#listen(address, wanted), close: async () => this.close() },
      addresses,
      port,
    );
  }

  close(): void {
    for (const server of this.#servers.splice(0)) server.close();
  }

  async #listen(host: string, port: number): Promise<number> {
    const server = createServer({ ...acceptedConnections, pauseOnConnect: true });
    server.on('connection', this.#onConnection).listen({ host, port });
    await once(server, 'listening');
    this.#servers.push(server);
    return (server.address() as AddressInfo).port;
  }
}
