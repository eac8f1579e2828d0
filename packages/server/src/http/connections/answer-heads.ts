import type { AnswerHeaders, HttpAnswer } from '../answer.ts';
import { uncachedAnswer } from '../every-answer.ts';
import { requestIdHeader } from '../request-ids.ts';
import { type AnswerFields, fieldsOf, hasLength, isJson, jsonType } from './answer-fields.ts';
import { STATUS_CODES } from './node-http.ts';

/** The head of an answer. */
export interface AnswerHead {
  /** Ends with the empty line. Its characters are bytes, as Latin-1. */
  readonly text: string;
  /** Whether the connection ends after the answer. */
  readonly isLast: boolean;
}

// Field values: visible characters, bytes above ASCII, spaces and tabs (RFC 9110 §5.5).
const forbiddenInValue = /[^\t\x20-\x7e\x80-\xff]/;
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
// The fields of nearly every answer: JSON that no cache stores.
const usualFields = textOf({ ...uncachedAnswer, 'content-type': jsonType });
const usualStart = `HTTP/1.1 200 OK\r\n${usualFields}${requestIdHeader}: `;

/** Writes the heads of answers as `node:http` does. A usual one takes 0.1 us. */
export class AnswerHeads {
  readonly #persistent: string;
  #second = 0;
  #date = '';

  /** @param keepAlive seconds for which a connection stays open without a request */
  constructor(keepAlive: number) {
    this.#persistent = `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAlive}\r\n\r\n`;
  }

  /**
   * @param length of the body in bytes
   * @param requestId characters that HTTP can carry
   * @throws TypeError for a header field that HTTP cannot carry
   */
  of(answer: HttpAnswer, more: AnswerHeaders | undefined, length: number, requestId: string): AnswerHead {
    if (isUsual(answer, more)) {
      return { text: `${usualStart}${requestId}\r\n${this.#end(length)}`, isLast: false };
    }
    const { status = 200 } = answer;
    const fields = fieldsOf(answer, requestId, more);
    const start = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n${textOf(fields)}`;
    const isLast = fields.connection === 'close';
    return { text: `${start}${this.#end(hasLength(status) ? length : undefined, isLast)}`, isLast };
  }

  #end(length: number | undefined, isLast = false): string {
    const announced = length === undefined ? '' : `content-length: ${length}\r\n`;
    return `${announced}Date: ${this.#now()}\r\n${isLast ? '\r\n' : this.#persistent}`;
  }

  #now(): string {
    const second = Math.floor(Date.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#date = new Date(second * 1000).toUTCString();
    }
    return this.#date;
  }
}

function isUsual({ status, headers, body, caching }: HttpAnswer, more: AnswerHeaders | undefined): boolean {
  const hasUsualFields = headers === undefined && more === undefined && caching === undefined;
  return hasUsualFields && status === undefined && isJson(body);
}

/** @throws TypeError */
function textOf(fields: AnswerFields): string {
  let text = '';
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') text += line(name, value);
    else for (const each of value) text += line(name, each);
  }
  return text;
}

// A line break in a value would let it add fields, or a second answer.
function line(name: string, value: string): string {
  if (!token.test(name)) throw new TypeError(`The header name ${JSON.stringify(name)} is not a token.`);
  if (forbiddenInValue.test(value))
    throw new TypeError(`The header ${name} has a character that HTTP forbids.`);
  return `${name}: ${value}\r\n`;
}
