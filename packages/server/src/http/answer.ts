import type { ErrorRuleName, ProtocolErrorName } from '@watchword/protocol';

/** The next nonce for DPoP proofs (RFC 9449 §8). */
export const nonceHeader = 'dpop-nonce';

/** Header fields by their name in lower case. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

/** An answer as an endpoint returns it: a value, which `connections/` turn into bytes. */
export interface HttpAnswer {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: AnswerHeaders;
  /** Bytes and text are sent unchanged, and `headers` name their type. Any other value is sent as JSON. */
  readonly body?: string | Uint8Array | object | undefined;
  /** `Cache-Control`. Default: no cache stores the answer. */
  readonly caching?: string;
  /** The stable name of the error of this answer, for the log and the metrics. */
  readonly error?: ProtocolErrorName | undefined;
  /** The rule that the request broke, for the log. Default: the usual one of the error. */
  readonly rule?: ErrorRuleName | undefined;
}

/** The same answer with more header fields; a field of the same name is replaced. */
export function withHeaders(answer: HttpAnswer, headers: AnswerHeaders): HttpAnswer {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

/** The same answer, which depends on these fields of the request too (RFC 9110 §12.5.5). */
export function varying(answer: HttpAnswer, ...fields: readonly string[]): HttpAnswer {
  return withHeaders(answer, { vary: [answer.headers?.vary ?? [], fields].flat(2).join(', ') });
}

/** The same answer with more cookies. @param cookies values of `Set-Cookie` */
export function withCookies(answer: HttpAnswer, cookies: readonly string[]): HttpAnswer {
  if (cookies.length === 0) return answer;
  return withHeaders(answer, { 'set-cookie': [answer.headers?.['set-cookie'] ?? [], cookies].flat(2) });
}
