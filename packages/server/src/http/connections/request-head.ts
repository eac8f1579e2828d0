import type { IncomingHttpHeaders } from 'node:http';
import { isPlainValue, lineEnd, nameOf, type ReadFields, readFields } from './field-syntax.ts';
import { LastFields } from './last-fields.ts';

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

const maxFields = 50;
const version = ' HTTP/1.1';
const methods = ['POST', 'GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

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
    return { method, target, headers, size: line.size + fields.size, bodyLength };
  }

  #readFields(bytes: Buffer, start: number): ReadFields | undefined {
    const end = endOf(bytes, start);
    if (end === -1) return undefined;
    const headers = fieldsOf(bytes.toString('latin1', start, end));
    const fields = headers && readFields(headers, end + 2 - start);
    if (fields === undefined) return undefined;
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

/** Where the last field ends, behind its line break. @returns -1 as `lineEnd` */
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
