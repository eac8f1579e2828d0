import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type RequestListener,
  request,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestKey } from '@watchword/testkit/certificate';

/** What is wrong with a proxy. Without any member it passes everything on, as a proxy should. */
export interface Fault {
  /** Changes the path of a request. */
  readonly path?: (path: string) => string;
  /** Changes the headers of a request. */
  readonly request?: (headers: IncomingHttpHeaders) => void;
  /** Changes the headers of an answer. */
  readonly answer?: (headers: OutgoingHttpHeaders, path: string) => void;
  /** Changes the text of an answer. */
  readonly text?: (text: string, path: string) => string;
  /** Answers in place of the server, if it returns a status. */
  readonly instead?: (
    method: string,
    path: string,
    headers: IncomingHttpHeaders,
  ) => readonly [status: number, headers?: OutgoingHttpHeaders] | undefined;
  /** Stores the answers to GET, whatever their headers say. */
  readonly caches?: boolean;
  /** Octets that the headers of an answer can have. */
  readonly answerLimit?: number;
  /** The address from which the proxy connects to the server. */
  readonly from?: string;
}

export interface FaultyProxy extends AsyncDisposable {
  readonly url: string;
  fault: Fault;
  /** Port of the server behind it. */
  server: number;
}

interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/** A reverse proxy in front of one server. */
export async function startFaultyProxy(tls?: TestKey): Promise<FaultyProxy> {
  const stored = new Map<string, Answer>();
  const listener: RequestListener = async (incoming, outgoing) => {
    const { method = '', url = '' } = incoming;
    const { caches, instead } = proxy.fault;
    const body = await buffer(incoming);
    const early = instead?.(method, url, incoming.headers);
    if (early !== undefined) return void outgoing.writeHead(early[0], early[1] ?? {}).end();
    const isStored = caches === true && method === 'GET';
    try {
      const answer = (isStored ? stored.get(url) : undefined) ?? (await pass(incoming, body, proxy));
      if (isStored) stored.set(url, answer);
      outgoing.writeHead(answer.status, answer.headers).end(answer.body);
    } catch {
      outgoing.writeHead(502).end('the server does not answer');
    }
  };
  const server =
    tls === undefined
      ? createServer({ maxHeaderSize: 80_000 }, listener)
      : createTlsServer({ key: tls.key, cert: tls.certificate, maxHeaderSize: 80_000 }, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const proxy: FaultyProxy = {
    url: tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`,
    fault: {},
    server: 0,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
  return proxy;
}

async function pass(
  { method = '', url = '', headers: received, socket }: Parameters<RequestListener>[0],
  body: Buffer,
  { fault, server }: FaultyProxy,
): Promise<Answer> {
  const before = received['x-forwarded-for'];
  const headers: IncomingHttpHeaders = {
    ...received,
    'x-forwarded-for': [before ?? [], socket.remoteAddress ?? ''].flat().join(', '),
    'x-forwarded-proto': 'encrypted' in socket ? 'https' : 'http',
  };
  fault.request?.(headers);
  const sent = request({
    host: '127.0.0.1',
    port: server,
    method,
    path: fault.path?.(url) ?? url,
    headers,
    localAddress: fault.from ?? '127.0.0.1',
    agent: false,
    maxHeaderSize: 80_000,
  });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as Parameters<RequestListener>[0][];
  if (answer === undefined) throw new Error('no answer');
  const changed: OutgoingHttpHeaders = { ...answer.headers };
  if (answer.rawHeaders.join('').length > (fault.answerLimit ?? Number.POSITIVE_INFINITY)) {
    answer.destroy();
    return { status: 502, headers: {}, body: Buffer.from('too large') };
  }
  fault.answer?.(changed, url);
  const content = await buffer(answer);
  if (fault.text === undefined) return { status: answer.statusCode ?? 502, headers: changed, body: content };
  delete changed['content-length'];
  return {
    status: answer.statusCode ?? 502,
    headers: changed,
    body: Buffer.from(fault.text(content.toString(), url)),
  };
}
