// A request by fetch() takes three times the processor time of one by node:http, and tests send tens of thousands.
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** An answer with its whole body. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of the answer
  readonly json: any;
}

export interface Asked {
  /** GET if there is none. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const maxRedirects = 10;

/** Sends a request over plain HTTP. Redirects of a GET request are followed, as by fetch(). @throws Error without an answer */
export async function ask(url: string, asked: Asked = {}): Promise<Answer> {
  let at = url;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const answer = await send(at, asked);
    const location = answer.status >= 300 && answer.status < 400 ? answer.headers.get('location') : null;
    if (location === null || (asked.method ?? 'GET') !== 'GET') return answer;
    at = new URL(location, at).href;
  }
  throw new Error(`more than ${maxRedirects} redirects from ${url}`);
}

async function send(url: string, { method = 'GET', headers = {}, body }: Asked): Promise<Answer> {
  // Without a length, a DELETE request with a body is not valid.
  const length = body !== undefined && { 'content-length': Buffer.byteLength(body) };
  const sent = request(url, { method, headers: { ...length, ...headers } });
  sent.end(body);
  const [incoming] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(incoming, 'end');
  return answerOf(incoming, Buffer.concat(chunks));
}

function answerOf({ statusCode = 0, headersDistinct }: IncomingMessage, body: Buffer): Answer {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  const decode = decoders[headers.get('content-encoding') ?? ''];
  const text = (decode === undefined ? body : decode(body)).toString();
  return { status: statusCode, headers, text, json: jsonOf(headers, text) };
}

/** By content coding. */
const decoders: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

/** The body, if the headers say that it is JSON. */
export function jsonOf(headers: Headers, text: string): unknown {
  const isJson = headers.get('content-type')?.startsWith('application/json');
  return isJson && text !== '' ? JSON.parse(text) : undefined;
}
