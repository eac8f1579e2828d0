import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The website of a client, to which browsers return. Every path answers with the same page. */
export interface ClientSite extends AsyncDisposable {
  readonly origin: string;
  readonly callback: string;
}

/** @param html the page */
export async function clientSite(html = '<!doctype html><title>Client</title>'): Promise<ClientSite> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    callback: `${origin}/callback`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
