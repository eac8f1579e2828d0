import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import { connectionError } from './connection-error.ts';
import type { Deadline } from './deadline.ts';
import { OutboundError } from './outbound-error.ts';

/**
 * An answer of which the headers have arrived. Read the body once, by `content`, `bytes`, `text` or `json`, or call `close`:
 * the connection stays open until then, at most for the time of the request.
 */
export interface OutboundAnswer extends Disposable {
  /** The URL that answered: another one than the caller's after a redirect. */
  readonly url: URL;
  /** Any status, errors included; a redirect only if the policy returns redirects. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** The body, unpacked. Reading throws an OutboundError, such as `too-large` and `timeout`. */
  readonly content: AsyncIterable<Uint8Array>;
  bytes(): Promise<Uint8Array>;
  /** The body as UTF-8. */
  text(): Promise<string>;
  /** The body as JSON. @throws OutboundError `malformed-answer` */
  json(): Promise<unknown>;
  close(): void;
}

/** @throws OutboundError `too-large`, `malformed-answer` when the headers show that the body cannot be accepted */
export function readAnswer(
  url: URL,
  message: IncomingMessage,
  maxBytes: number,
  deadline: Deadline,
): OutboundAnswer {
  const { host } = url;
  if (Number(message.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(host, maxBytes);
  const content = limited(host, message, isPacked(host, message), maxBytes, deadline);
  const bytes = () => joined(content);
  const text = async () => new TextDecoder().decode(await bytes());
  const close = () => deadline.end();
  return {
    url,
    status: message.statusCode ?? 0,
    headers: message.headers,
    content,
    bytes,
    text,
    json: async () => parsed(host, await text()),
    close,
    [Symbol.dispose]: close,
  };
}

function isPacked(host: string, { headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding === 'gzip' || encoding === 'identity') return encoding === 'gzip';
  throw new OutboundError(
    'malformed-answer',
    `${host} answered with a content encoding that the request does not accept; expected gzip or none`,
  );
}

async function* limited(
  host: string,
  message: IncomingMessage,
  packed: boolean,
  maxBytes: number,
  deadline: Deadline,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of packed ? unpacked(message) : message) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(host, maxBytes);
      yield chunk;
    }
  } catch (error) {
    throw deadline.error ?? connectionError(host, error);
  } finally {
    deadline.end();
  }
}

function unpacked(message: IncomingMessage): AsyncIterable<Uint8Array> {
  const gunzip = message.pipe(createGunzip());
  // `pipe` does not pass errors on: without this a lost connection would leave the reader waiting.
  message.on('error', (error) => gunzip.destroy(error));
  return gunzip;
}

async function joined(content: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function parsed(host: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the body.
    throw new OutboundError('malformed-answer', `the answer of ${host} is not JSON`);
  }
}

function tooLarge(host: string, maxBytes: number): OutboundError {
  return new OutboundError('too-large', `the answer of ${host} has more than ${maxBytes} bytes`);
}
