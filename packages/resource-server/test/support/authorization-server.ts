import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TokenVerifierOptions } from '../../src/index.ts';

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly form: URLSearchParams;
}

export type AnswerRequest = (request: ReceivedRequest, response: ServerResponse) => void;

/** An authorization server whose answers a test decides on, over real HTTP. */
export interface FakeAuthorizationServer extends AsyncDisposable {
  readonly url: string;
  readonly options: TokenVerifierOptions;
  readonly requests: readonly ReceivedRequest[];
  readonly connections: () => number;
  /** From now on requests are answered so. */
  answer(how: AnswerRequest): void;
  /** Resolves once so many requests have arrived in all. */
  received(count: number): Promise<void>;
  /** Stops listening and breaks every connection; `start` listens on the same port again. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export async function fakeAuthorizationServer(
  how: AnswerRequest = accept(),
  options: Partial<TokenVerifierOptions> = {},
): Promise<FakeAuthorizationServer> {
  let answer = how;
  let connections = 0;
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const received = { method, url, headers, form: new URLSearchParams(await text(request)) };
    requests.push(received);
    // Tests stop the clock of the verifier.
    response.sendDate = false;
    answer(received, response);
  });
  server.on('connection', () => {
    connections += 1;
  });
  const start = async (port = 0) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const stop = async () => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  await start();
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/v1/tokeninfo`;
  return {
    url,
    options: { tokenInfoUrl: url, key: 'orders-api', secret: 'its-secret', ...options },
    requests,
    connections: () => connections,
    answer(next) {
      answer = next;
    },
    async received(count) {
      while (requests.length < count) await new Promise((resolve) => setImmediate(resolve));
    },
    stop,
    start: () => start(port),
    [Symbol.asyncDispose]: stop,
  };
}

export const emma = {
  audience: 'Web shop',
  scopes: ['read'],
  principal: { name: 'emma', roles: [], groups: [], adminPrincipal: false, attributes: {} },
  expires_in: 0,
};

/** Answers 200 with token info, `emma` unless stated otherwise. */
export function accept(parts: Partial<typeof emma> = {}): AnswerRequest {
  return answerWith(200, { ...emma, ...parts });
}

export const reject = answerWith(404, { error: 'not_found', error_description: 'There is nothing here.' });

export function answerWith(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): AnswerRequest {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** What the server says of itself (RFC 8414). @param tokenInfo path of token info below the issuer */
export function metadataOf(issuer: string, tokenInfo = '/v1/tokeninfo') {
  return {
    issuer,
    tokeninfo_endpoint: `${issuer}${tokenInfo}`,
    jwks_uri: `${issuer}/oauth2/jwks`,
    revocation_feed_endpoint: `${issuer}/oauth2/revocations`,
  };
}

/** Receives requests and never answers. */
export const hang: AnswerRequest = () => {};
