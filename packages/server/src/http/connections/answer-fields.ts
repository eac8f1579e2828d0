import type { AnswerHeaders, HttpAnswer } from '../answer.ts';
import { everyAnswer, uncachedAnswer } from '../every-answer.ts';
import { requestIdHeader } from '../request-ids.ts';

export const jsonType = 'application/json; charset=utf-8';

/** The bytes of a body, before they are encoded. */
export interface AnswerContent {
  readonly content: string | Uint8Array | undefined;
  /** In bytes. */
  readonly length: number;
}

/** The body of an answer. A value that is neither text nor bytes becomes JSON. */
export function contentOf({ body }: HttpAnswer): AnswerContent {
  if (body === undefined) return { content: undefined, length: 0 };
  if (body instanceof Uint8Array) return { content: body, length: body.length };
  const content = typeof body === 'string' ? body : JSON.stringify(body);
  return { content, length: Buffer.byteLength(content) };
}

/** The header fields of an answer, except the length of its body. @param more replace fields of the answer */
export function fieldsOf(
  { headers, body, caching }: HttpAnswer,
  requestId: string,
  more: AnswerHeaders = {},
): AnswerFields {
  const common = caching === undefined ? uncachedAnswer : everyAnswer;
  const fields: AnswerFields = { ...common, ...headers, ...more, [requestIdHeader]: requestId };
  if (caching !== undefined) fields['cache-control'] = caching;
  if (isJson(body)) fields['content-type'] = jsonType;
  return fields;
}

export type AnswerFields = Record<string, string | readonly string[]>;

/** RFC 9110 §8.6: no length in an answer that never has a body. */
export function hasLength(status = 200): boolean {
  return status !== 204 && status !== 304;
}

/**
 * Text of ASCII characters has the same bytes in both encodings, and Node.js writes it in one step as Latin-1.
 *
 * @param length in UTF-8
 */
export function encodingOf(content: string, length: number): 'latin1' | 'utf8' {
  return content.length === length ? 'latin1' : 'utf8';
}

export function isJson(body: HttpAnswer['body']): body is object {
  return typeof body === 'object' && !(body instanceof Uint8Array);
}
