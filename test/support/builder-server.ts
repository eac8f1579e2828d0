import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The program that uses the builder in every runtime. */
export const builderProgram = fileURLToPath(new URL('../install/use-builder.js', import.meta.url));

export interface BuilderServer extends AsyncDisposable {
  readonly baseUrl: string;
}

/**
 * Serves the page `/page.html`, which has the builder of `folder` and its program as modules, without a bundler. Any other request is
 * answered with what it sent.
 */
export async function serveBuilder(folder: string): Promise<BuilderServer> {
  const entries = ['', '/axios', '/fetch', '/got', '/undici'].map((entry) => [
    `@watchword/endpoint${entry}`,
    `/dist${entry || '/index'}.js`,
  ]);
  const page = `<!doctype html><title>builder</title><script type="importmap">${JSON.stringify({
    imports: Object.fromEntries(entries),
  })}</script>`;
  const server = createServer(async (request, response) => {
    const { method, url = '', headers } = request;
    const [, module] = /^\/dist\/([\w-]+\.js)$/.exec(url) ?? [];
    if (module !== undefined || url === '/use-builder.js') {
      response.setHeader('content-type', 'text/javascript');
      response.end(readFileSync(module === undefined ? builderProgram : join(folder, 'dist', module)));
    } else if (url === '/page.html') {
      response.setHeader('content-type', 'text/html');
      response.end(page);
    } else {
      const body = (await request.toArray()).map(String).join('');
      response.end(JSON.stringify({ method, url, headers, body }));
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
