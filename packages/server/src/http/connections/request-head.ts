import type { IncomingHttpHeaders } from 'node:http';

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
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const onlyPrintable = /^[\r\n\x20-\x7e]*$/;
const target = /^\/[\x21-\x7e]*$/;
const fieldName = /^[a-z0-9-]+$/;
const bodyLength = /^\d{1,6}$/;

// These change how a request is read or answered.
const changing = new Set(['transfer-encoding', 'expect', 'upgrade', 'trailer', 'te', 'http2-settings']);

/** The usual names, as clients spell them, in lower case: found in a table instead of being converted and checked. */
const usualNames = new Map(
  [
    'Accept Accept-Encoding Accept-Language Authorization Cache-Control Connection Content-Length Content-Type Cookie DNT',
    'DPoP Forwarded Host If-None-Match Origin Pragma Priority Referer Sec-CH-UA Sec-CH-UA-Mobile Sec-CH-UA-Platform',
    'Sec-Fetch-Dest Sec-Fetch-Mode Sec-Fetch-Site Sec-Fetch-User Traceparent Tracestate Upgrade-Insecure-Requests',
    'User-Agent Via X-Forwarded-For X-Forwarded-Host X-Forwarded-Port X-Forwarded-Proto X-Real-IP X-Request-ID',
  ]
    .join(' ')
    .split(' ')
    .flatMap((name) => [
      [name, name.toLowerCase()],
      [name.toLowerCase(), name.toLowerCase()],
    ]),
);

/**
 * Reads the head of a request in the form that nearly every client sends. It knows only what all readers of HTTP understand in
 * the same way, and leaves everything else to `node:http`: so it needs no error, no leniency, and no rule for
 * fields that are repeated or continued.
 *
 * @param bytes as they arrived
 * @returns `undefined` for any other form, and for a head that is not complete
 */
export function requestHead(bytes: Buffer): RequestHead | undefined {
  const text = bytes.toString('latin1', 0, maxSize);
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const head = text.slice(0, end + 2);
  if (!onlyPrintable.test(head)) return undefined;
  const lineEnd = head.indexOf('\r\n');
  const line = requestLine(head.slice(0, lineEnd));
  const headers = fieldsOf(head, lineEnd + 2);
  if (line === undefined || headers?.host === undefined) return undefined;
  const length = headers['content-length'];
  if (length !== undefined && !isPlainLength(line.method, length)) return undefined;
  return {
    ...line,
    headers,
    size: end + 4,
    bodyLength: length === undefined ? undefined : Number(length),
  };
}

function requestLine(line: string): { method: string; target: string } | undefined {
  const methodEnd = line.indexOf(' ');
  const targetEnd = line.length - ' HTTP/1.1'.length;
  const found = { method: line.slice(0, methodEnd), target: line.slice(methodEnd + 1, targetEnd) };
  const isPlain = line.endsWith(' HTTP/1.1') && methods.has(found.method) && target.test(found.target);
  return isPlain ? found : undefined;
}

/** @param start of the first field. Each ends with a line break. */
function fieldsOf(head: string, start: number): IncomingHttpHeaders | undefined {
  const headers: Record<string, string> = {};
  let count = 0;
  for (let at = start; at < head.length; count += 1) {
    const end = head.indexOf('\r\n', at);
    const colon = head.indexOf(':', at);
    if (colon === -1 || colon > end || count === maxFields) return undefined;
    const name = nameOf(head.slice(at, colon));
    const value = head.slice(head[colon + 1] === ' ' ? colon + 2 : colon + 1, end);
    if (name === undefined || headers[name] !== undefined || !isPlainValue(name, value)) return undefined;
    headers[name] = value;
    at = end + 2;
  }
  return headers;
}

function nameOf(sent: string): string | undefined {
  const usual = usualNames.get(sent);
  if (usual !== undefined) return usual;
  const name = sent.toLowerCase();
  return fieldName.test(name) && !changing.has(name) ? name : undefined;
}

function isPlainValue(name: string, value: string): boolean {
  if (value.startsWith(' ') || value.endsWith(' ') || value.includes('\r') || value.includes('\n'))
    return false;
  return name !== 'connection' || value.toLowerCase() === 'keep-alive';
}

function isPlainLength(method: string, length: string): boolean {
  return bodyLength.test(length) && method !== 'GET' && method !== 'HEAD';
}
