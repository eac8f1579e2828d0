import { type Obligatory, protection, type Verifying } from './bearer/guard.ts';
import { isPreflight } from './bearer/preflight.ts';
import { type WrapperRules, wrapperKinds } from './bearer/wrapper.ts';
import { AccessError } from './errors.ts';
import { platform, responseOf, type WebResponse } from './platform/platform.ts';
import type { TokenInfo } from './token-info.ts';

/** What is read of a `Request`. */
export interface FetchRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
}

/**
 * Puts a guard around a handler `(request, tokenInfo, ...)` for Workers, Deno, Bun and other platforms that take
 * `(request, ...) => Response`; other arguments of the runtime are passed on. An `AccessError` that the
 * handler throws is answered too. With `optional: true` the token info is undefined for a request without a token.
 * @throws ConfigurationError for rules that are none
 */
export function protect<Request extends FetchRequest, Answer, Rest extends readonly unknown[]>(
  verifier: Verifying,
  rules: WrapperRules<(request: Request, ...rest: Rest) => Answer | Promise<Answer>> & Obligatory,
  handler: (request: Request, tokenInfo: TokenInfo, ...rest: Rest) => Answer | Promise<Answer>,
): (request: Request, ...rest: Rest) => Promise<Answer | WebResponse>;
export function protect<Request extends FetchRequest, Answer, Rest extends readonly unknown[]>(
  verifier: Verifying,
  rules: WrapperRules<(request: Request, ...rest: Rest) => Answer | Promise<Answer>>,
  handler: (request: Request, tokenInfo: TokenInfo | undefined, ...rest: Rest) => Answer | Promise<Answer>,
): (request: Request, ...rest: Rest) => Promise<Answer | WebResponse>;
export function protect<Request extends FetchRequest, Answer, Rest extends readonly unknown[]>(
  verifier: Verifying,
  rules: WrapperRules<(request: Request, ...rest: Rest) => Answer | Promise<Answer>>,
  handler: (request: Request, tokenInfo: never, ...rest: Rest) => Answer | Promise<Answer>,
): (request: Request, ...rest: Rest) => Promise<Answer | WebResponse> {
  const { guard, metadata } = protection(verifier, rules, wrapperKinds);
  return async (request, ...rest) => {
    const { method, headers } = request;
    const url = () => request.url;
    const open = metadata(method, url);
    if (open !== undefined) return responseOf(open);
    try {
      if (isPreflight(method, (name) => headers.get(name))) {
        return rules.preflight ? await rules.preflight(request, ...rest) : emptyResponse();
      }
      const asked = { method, url, header: (name: string) => headers.get(name), peer: undefined, request };
      const tokenInfo = await guard(headers.get('authorization') ?? [], asked);
      // What the overloads say of it: undefined only where the rules have `optional: true`.
      return await handler(request, tokenInfo as never, ...rest);
    } catch (error) {
      if (error instanceof AccessError) return error.getResponse();
      throw error;
    }
  };
}

function emptyResponse(): WebResponse {
  return new platform.Response(null, { status: 204, headers: {} }) as WebResponse;
}
