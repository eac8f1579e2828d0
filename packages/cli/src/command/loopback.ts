import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

export interface LoopbackRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a request to a server of this machine. `fetch` and the shared agents of Node.js would send it to the proxy of the environment
 * if NODE_USE_ENV_PROXY is set.
 *
 * @returns the answer, whose body is to be read or destroyed
 * @throws the error of `node:http`
 */
export async function askLoopback(url: URL, request: LoopbackRequest = {}): Promise<IncomingMessage> {
  const { method = 'GET', headers, body, signal } = request;
  // Loaded here, because most commands send no request (docs/adr/0083).
  const { request: begin } =
    url.protocol === 'https:'
      ? process.getBuiltinModule('node:https')
      : process.getBuiltinModule('node:http');
  const sent = begin(url, { method, headers: { ...headers }, agent: false, ...(signal && { signal }) });
  // The caller gets the error while it waits. An error after that has no reader.
  sent.on('error', () => {});
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.on('error', () => {});
  return answer;
}

/** `fetch` for a server of this machine. It follows no redirect. */
export const fetchLoopback: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const { method, redirect, signal, url } = request;
  const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
  const length = body && { 'content-length': String(body.byteLength) };
  const headers = { ...Object.fromEntries(request.headers), ...length };
  const answer = await askLoopback(new URL(url), { method, headers, body, signal });
  const { statusCode: status = 0 } = answer;
  if (redirect === 'error' && status >= 300 && status < 400) {
    answer.destroy();
    throw new TypeError('unexpected redirect');
  }
  const fields = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const content = withoutBody.includes(status) ? null : (Readable.toWeb(answer) as ReadableStream);
  return new Response(content, { status, headers: fields });
};

/** Statuses of answers that can have no body (RFC 9110). */
const withoutBody = [204, 205, 304];
