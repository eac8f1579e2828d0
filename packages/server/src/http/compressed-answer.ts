import { brotliCompress, constants } from 'node:zlib';
import { type HttpAnswer, varying, withHeaders } from './answer.ts';
import { jsonType } from './connections/answer-fields.ts';
import type { HttpRequest } from './request.ts';

// Not an import, which would load every part of it (docs/adr/0083).
const { promisify } = process.getBuiltinModule('node:util');

/** Characters of JSON, from which on their compression saves more time than it takes. */
const worthwhile = 2_000;

/** 500 clients are 370 kB, and 12 kB after 4 ms of a thread of its own; the next levels save little and take much. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/**
 * A large answer, compressed for a caller who accepts it. Only a token reads it, and it has no secret: another site cannot make a
 * browser ask for it, and learn from its size (BREACH).
 */
export async function compressedAnswer(
  answer: HttpAnswer,
  { headers, method }: HttpRequest,
): Promise<HttpAnswer> {
  const { body } = answer;
  if (method !== 'GET' || typeof body !== 'object' || body instanceof Uint8Array) return answer;
  const text = JSON.stringify(body);
  if (text.length < worthwhile) return answer;
  const varied = varying(answer, 'Accept-Encoding');
  if (!/(?:^|[\s,])br(?:\s*(?:,|$))/i.test(String(headers['accept-encoding'] ?? ''))) {
    return varied;
  }
  return {
    ...withHeaders(varied, { 'content-type': jsonType, 'content-encoding': 'br' }),
    body: await promisify(brotliCompress)(text, quality),
  };
}
