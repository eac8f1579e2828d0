import type { IncomingHttpHeaders } from 'node:http';
import { LastFields, type ReadFields } from './last-fields.ts';

/** The head of a request, and how long its body is. */
export interface RequestHead {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** Bytes from the start of the head to the body. */
  readonly size: number;
  /** Bytes; `undefined` if the request has no body. */
  readonly bodyLength: number | undefined;
}

/** Bytes. Longer heads are left to `node:http`. */
const maxSize = 8 * 1024;
const maxFields = 50;
const [cr, lf] = [13, 10];
const version = ' HTTP/1.1';
const methods = ['POST', 'GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const fieldName = /^[a-z0-9-]+$/;
const plainLength = /^\d{1,6}$/;

// These change how a request is read or answered. For `node:http`, Proxy-Connection is another name of Connection, and Set-Cookie
// a list.
const changing = new Set([
  'transfer-encoding',
  'expect',
  'upgrade',
  'trailer',
  'te',
  'http2-settings',
  'proxy-connection',
  'set-cookie',
]);

interface UsualName {
  readonly sent: string;
  readonly name: string;
}

/**
 * The usual names, as clients spell them and in lower case, by their length. A `Map` would look for each name in the table of all texts of
 * the process first: 0.3 us for the names of a head instead of 1.1.
 */
const usualNames = byLength(
  [
    'Accept Accept-Encoding Accept-Language Authorization Cache-Control Connection Content-Length Content-Type Cookie DNT',
    'DPoP Forwarded Host If-None-Match Origin Pragma Priority Referer Sec-CH-UA Sec-CH-UA-Mobile Sec-CH-UA-Platform',
    'Sec-Fetch-Dest Sec-Fetch-Mode Sec-Fetch-Site Sec-Fetch-User Traceparent Tracestate Upgrade-Insecure-Requests',
    'User-Agent Via X-Forwarded-For X-Forwarded-Host X-Forwarded-Port X-Forwarded-Proto X-Real-IP X-Request-ID',
  ]
    .join(' ')
    .split(' '),
);

function byLength(spelled: readonly string[]): readonly UsualName[][] {
  const names = spelled.flatMap((sent) => {
    const name = sent.toLowerCase();
    return [
      { sent, name },
      { sent: name, name },
    ];
  });
  const longest = Math.max(...names.map(({ name }) => name.length));
  return Array.from({ length: longest + 1 }, (_, length) =>
    names.filter(({ name }) => name.length === length),
  );
}

/**
 * Reads the heads of one connection, in the form that nearly every client sends. It knows only what all readers of HTTP understand in
 * the same way, and leaves everything else to `node:http`: so it needs no error, no leniency, and no rule for
 * fields that are repeated or continued.
 */
export class HeadReader {
  readonly #last = new LastFields();

  /**
   * @param bytes as they arrived
   * @returns `undefined` for any other form, and for a head that is not complete
   */
  read(bytes: Buffer): RequestHead | undefined {
    const line = requestLine(bytes);
    if (line === undefined) return undefined;
    const fields = this.#last.find(bytes, line.size) ?? this.#readFields(bytes, line.size);
    if (fields === undefined) return undefined;
    const { method, target } = line;
    const { headers, bodyLength } = fields;
    if (bodyLength !== undefined && (method === 'GET' || method === 'HEAD')) return undefined;
    const size = line.size + fields.size;
    return size > maxSize ? undefined : { method, target, headers, size, bodyLength };
  }

  #readFields(bytes: Buffer, start: number): ReadFields | undefined {
    const end = endOf(bytes, start);
    if (end === -1) return undefined;
    const headers = fieldsOf(bytes.toString('latin1', start, end));
    if (headers?.host === undefined) return undefined;
    const length = headers['content-length'];
    if (length !== undefined && !plainLength.test(length)) return undefined;
    const bodyLength = length === undefined ? undefined : Number(length);
    const fields = { headers, size: end + 2 - start, bodyLength };
    this.#last.remember(bytes, start, fields);
    return fields;
  }
}

interface RequestLine {
  readonly method: string;
  readonly target: string;
  /** Bytes, with the line break. */
  readonly size: number;
}

function requestLine(bytes: Buffer): RequestLine | undefined {
  const end = lineEnd(bytes, 0);
  if (end === -1) return undefined;
  const line = bytes.toString('latin1', 0, end);
  const methodEnd = line.indexOf(' ');
  const targetEnd = line.indexOf(' ', methodEnd + 1);
  // The constant of this program, which is found in a map without a search for its text.
  const method = methods[methods.indexOf(line.slice(0, methodEnd))];
  const target = line.slice(methodEnd + 1, targetEnd);
  const isPlain = targetEnd === line.length - version.length && line.endsWith(version) && target[0] === '/';
  return isPlain && method !== undefined ? { method, target, size: end + 2 } : undefined;
}

/**
 * Where the line ends, before its line break.
 *
 * @returns -1 for a line that is too long or not complete, and for one with another character than visible ASCII or a space. A
 * carriage return or a line feed alone is a line break for some readers only.
 */
function lineEnd(bytes: Buffer, start: number): number {
  const limit = Math.min(bytes.length, maxSize) - 1;
  for (let at = start; at < limit; at += 1) {
    const byte = bytes[at] as number;
    if (byte < 0x20 || byte > 0x7e) return byte === cr && bytes[at + 1] === lf ? at : -1;
  }
  return -1;
}

/** Where the last field ends, behind its line break. @returns -1 as {@link lineEnd} */
function endOf(bytes: Buffer, start: number): number {
  for (let at = start; ; ) {
    const end = lineEnd(bytes, at);
    if (end === -1 || end === at) return end;
    at = end + 2;
  }
}

/** @param text fields, each with its line break */
function fieldsOf(text: string): IncomingHttpHeaders | undefined {
  const headers: Record<string, string> = {};
  let count = 0;
  for (let at = 0; at < text.length; count += 1) {
    const end = text.indexOf('\r\n', at);
    const colon = text.indexOf(':', at);
    if (colon === -1 || colon > end || count === maxFields) return undefined;
    const name = nameOf(text.slice(at, colon));
    const value = text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1, end);
    if (name === undefined || headers[name] !== undefined || !isPlainValue(name, value)) return undefined;
    headers[name] = value;
    at = end + 2;
  }
  return headers;
}

function nameOf(sent: string): string | undefined {
  for (const usual of usualNames[sent.length] ?? []) if (usual.sent === sent) return usual.name;
  const name = sent.toLowerCase();
  return fieldName.test(name) && !changing.has(name) ? name : undefined;
}

// Spaces around a value are not part of it.
function isPlainValue(name: string, value: string): boolean {
  if (value[0] === ' ' || value.at(-1) === ' ') return false;
  return name !== 'connection' || value === 'keep-alive' || value === 'Keep-Alive';
}
