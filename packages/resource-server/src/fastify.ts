import type {} from 'fastify';
import { type MiddlewareRules, middlewareGuard } from './bearer/middleware.ts';
import { authorizationOf, type NodeRequest } from './bearer/node-http.ts';
import { isPreflight } from './bearer/preflight.ts';
import type { TokenInfo } from './token-info.ts';
import type { TokenVerifier } from './verifier/token-verifier.ts';

export type { MiddlewareRules } from './bearer/middleware.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the access token represents; undefined for nobody (`optional`), and if the route has no `protect`. */
    tokenInfo?: TokenInfo | undefined;
  }
}

interface FastifyRequestParts {
  readonly method: string;
  readonly headers: NodeRequest['headers'];
  readonly raw: Pick<NodeRequest, 'rawHeaders'>;
  tokenInfo?: TokenInfo | undefined;
}

interface FastifyReplyParts {
  code(status: number): FastifyReplyParts;
  headers(values: Record<string, string>): FastifyReplyParts;
  send(body: string): FastifyReplyParts;
}

export type FastifyHook = (request: FastifyRequestParts, reply: FastifyReplyParts) => Promise<unknown>;

/**
 * A hook for `onRequest`, of the whole application or of a route: answers requests without a good token, puts
 * `tokenInfo` on the others. CORS preflights pass without one.
 * @throws ConfigurationError for rules that are none
 */
export function protect(verifier: Pick<TokenVerifier, 'verify'>, rules?: MiddlewareRules): FastifyHook {
  const { guard, isAnswered } = middlewareGuard(verifier, rules);
  return async (request, reply) => {
    const { method, headers, raw } = request;
    if (isPreflight(method, (name) => headers[name])) return undefined;
    try {
      request.tokenInfo = await guard(authorizationOf({ headers, rawHeaders: raw.rawHeaders ?? [] }));
      return undefined;
    } catch (error) {
      if (!isAnswered(error)) throw error;
      // An asynchronous hook that returns the reply has answered (Fastify).
      return reply
        .code(error.status)
        .headers({ ...error.headers, 'content-type': 'application/json' })
        .send(error.body);
    }
  };
}
