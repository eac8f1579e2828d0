import { once } from 'node:events';
import { request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Api } from './middleware-conformance.ts';

/** An API over real HTTP. `fetch` joins headers of one name, so that requests go out by `node:http`. */
export async function httpApi(server: Server, calls: () => number): Promise<Api> {
  if (!server.listening) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  const { port } = server.address() as AddressInfo;
  return {
    calls,
    peer: '127.0.0.1',
    async send(method, headers, path = '/orders') {
      const host = headers.some(([name]) => name === 'host') ? [] : [['host', `127.0.0.1:${port}`]];
      const all = [...host, ...headers].flat();
      const sent = request({ host: '127.0.0.1', port, path, method, headers: all });
      sent.end();
      const [answer] = await once(sent, 'response');
      const body = await buffer(answer);
      const isEmpty = answer.statusCode === 204;
      return new Response(isEmpty ? null : body, { status: answer.statusCode, headers: answer.headers });
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
