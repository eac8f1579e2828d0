import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Gives each request to the next server, as a load balancer does without affinity. */
export interface Balancer extends AsyncDisposable {
  readonly port: number;
  /** Ports of the servers in turn. A server that does not accept a connection is left out for this request. */
  servers: readonly number[];
}

export async function startBalancer(): Promise<Balancer> {
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    turn += 1;
    const { servers } = balancer;
    const order = servers.map((_, index) => servers[(turn + index) % servers.length] ?? 0);
    forward(incoming, outgoing, order);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const balancer: Balancer = {
    port,
    servers: [],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return balancer;
}

/** Sends the request to the first server that accepts a connection. If that one dies, the client gets no answer. */
function forward(incoming: IncomingMessage, outgoing: ServerResponse, [port, ...others]: number[]): void {
  if (port === undefined) {
    outgoing.writeHead(502).end('no server accepts a connection');
    return;
  }
  const { method, url, rawHeaders } = incoming;
  const inner = request({ host: 'localhost', port, method, path: url, headers: rawHeaders, setHost: false });
  inner.on('response', (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(outgoing);
    answer.on('error', () => outgoing.destroy());
  });
  inner.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED') forward(incoming, outgoing, others);
    else outgoing.destroy();
  });
  inner.on('socket', (socket) => {
    // The body is read only when a server takes it, so that it can still go to another one.
    if (socket.connecting) socket.once('connect', () => incoming.pipe(inner));
    else incoming.pipe(inner);
  });
}
