import type {} from 'fastify';
import type { OpenAnswer, Verifying } from './bearer/guard.ts';
import { type MiddlewareRules, middlewareProtection } from './bearer/middleware.ts';
import { askedBy, authorizationOf, type NodeRequest, urlOf } from './bearer/node-http.ts';
import { isPreflight } from './bearer/preflight.ts';
import type { TokenInfo } from './token-info.ts';

export type { MiddlewareRules } from './bearer/middleware.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the access token represents; undefined for nobody (`optional`), and if the route has no `protect`. */
    tokenInfo?: TokenInfo | undefined;
  }
}

interface FastifyRequestParts {
  readonly method: string;
  readonly originalUrl: string;
  readonly headers: NodeRequest['headers'];
  readonly raw: Pick<NodeRequest, 'rawHeaders'>;
  readonly socket: NonNullable<NodeRequest['socket']>;
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
export function protect(verifier: Verifying, rules?: MiddlewareRules): FastifyHook {
  const { guard, metadata, isAnswered } = middlewareProtection(verifier, rules);
  return async (request, reply) => {
    const { method, headers, raw } = request;
    if (isPreflight(method, (name) => headers[name])) return undefined;
    const open = metadata(method, () => urlOf(request));
    if (open !== undefined) return send(reply, open);
    try {
      const authorization = authorizationOf({ headers, rawHeaders: raw.rawHeaders ?? [] });
      request.tokenInfo = await guard(authorization, askedBy(request));
      return undefined;
    } catch (error) {
      if (!isAnswered(error)) throw error;
      return send(reply, error);
    }
  };
}

/** An asynchronous hook that returns the reply has answered (Fastify). */
function send(reply: FastifyReplyParts, { status, headers, body }: OpenAnswer): unknown {
  return reply
    .code(status)
    .headers({ ...headers, 'content-type': 'application/json' })
    .send(body);
}
