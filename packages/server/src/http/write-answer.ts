import type { ServerResponse } from 'node:http';
import type { AnswerHeaders, HttpAnswer } from './answer.ts';
import { everyAnswer, uncachedAnswer } from './every-answer.ts';

const jsonType = 'application/json; charset=utf-8';

/**
 * Turns an answer into bytes, with head and body in one write. For HEAD and status 304, `node:http` omits the body.
 *
 * @param more header fields in addition to those of the answer
 * @throws TypeError for a header field that HTTP cannot carry; then nothing is written
 */
export function writeAnswer(response: ServerResponse, answer: HttpAnswer, more: AnswerHeaders = {}): void {
  const { status = 200, headers, body, caching } = answer;
  const isJson = typeof body === 'object' && !(body instanceof Uint8Array);
  const content = isJson ? JSON.stringify(body) : body;
  const common = caching === undefined ? uncachedAnswer : everyAnswer;
  const fields: Record<string, string | number | readonly string[]> = { ...common, ...headers, ...more };
  if (caching !== undefined) fields['cache-control'] = caching;
  if (isJson) fields['content-type'] = jsonType;
  const length = lengthOf(content);
  if (status !== 204 && status !== 304) fields['content-length'] = length;
  response.writeHead(status, fields as Record<string, string | number | string[]>);
  if (typeof content === 'string') response.end(content, encodingOf(content, length));
  else response.end(content);
}

function lengthOf(content: string | Uint8Array | undefined): number {
  if (content === undefined) return 0;
  return typeof content === 'string' ? Buffer.byteLength(content) : content.length;
}

/**
 * Text of ASCII characters has the same bytes in both encodings, and `node:http` writes it in one step as Latin-1.
 *
 * @param length in UTF-8
 */
function encodingOf(content: string, length: number): 'latin1' | 'utf8' {
  return content.length === length ? 'latin1' : 'utf8';
}
