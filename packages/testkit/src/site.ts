import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestKey } from './certificate.ts';

export interface TestSite extends AsyncDisposable {
  readonly url: string;
  /** Requests that have arrived. */
  readonly requests: IncomingMessage[];
  /** Open connections. */
  connections(): Promise<number>;
}

/**
 * @param tls key and certificate of the server; without them it answers by plain HTTP
 * @param port default: any free one
 */
export async function startSite(answer: RequestListener, tls?: TestKey, port = 0): Promise<TestSite> {
  const requests: IncomingMessage[] = [];
  const listener: RequestListener = (request, response) => {
    requests.push(request);
    answer(request, response);
  };
  const server =
    tls === undefined
      ? createServer(listener)
      : createTlsServer({ key: tls.key, cert: tls.certificate }, listener);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
      ),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}
