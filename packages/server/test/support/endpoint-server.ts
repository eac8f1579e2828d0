import { browserCookieJar } from '../../src/http/browser-cookies.ts';
import { Ports } from '../../src/http/connections/ports.ts';
import type { Endpoint } from '../../src/http/endpoint.ts';
import { endpointAnswers } from '../../src/http/exchange.ts';
import { type PageAnswers, pageAnswers } from '../../src/http/page.ts';
import { InFlight } from '../../src/runtime/in-flight.ts';
import { createLogger } from '../../src/runtime/log/logger.ts';
import { Metrics } from '../../src/runtime/metrics/metrics.ts';
import { builtInPages } from './pages.ts';

export interface EndpointServer extends AsyncDisposable {
  readonly port: number;
  /** Every log line so far. */
  log(): string;
}

/** The HTTP layer of the server with these endpoints and no others. */
export async function serveEndpoints(
  endpoints: readonly Endpoint[],
  pages: PageAnswers = pageAnswers(builtInPages, '', () => undefined),
): Promise<EndpointServer> {
  const lines: string[] = [];
  const sink = {
    stream: { write: (line: string) => void lines.push(line) },
    dropped: () => 0,
    flush: async () => {},
  };
  const listener = endpointAnswers({
    endpoints,
    logger: createLogger('info', sink, { version: '0.0.0' }),
    logRequest: () => {},
    metrics: new Metrics('0.0.0'),
    trustedProxies: [],
    inFlight: new InFlight(),
    pages,
    cookies: browserCookieJar('http://127.0.0.1', 600),
  });
  const ports = new Ports(
    { requestTimeout: 15, ownReader: true, reject: (_error, socket) => socket.destroy() },
    listener,
  );
  const port = await ports.open(['127.0.0.1'], 0);
  return { port, log: () => lines.join(''), [Symbol.asyncDispose]: () => ports.close(0) };
}
