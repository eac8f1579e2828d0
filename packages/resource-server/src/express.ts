import type { Verifying } from './bearer/guard.ts';
import { type MiddlewareRules, middlewareProtection } from './bearer/middleware.ts';
import {
  askedBy,
  authorizationOf,
  type NodeRequest,
  type NodeResponse,
  send,
  urlOf,
} from './bearer/node-http.ts';
import { isPreflight } from './bearer/preflight.ts';
import type { TokenInfo } from './token-info.ts';

export type { MiddlewareRules } from './bearer/middleware.ts';

// Types only: @types/express needs this form.
declare global {
  namespace Express {
    interface Request {
      /** What the access token represents; undefined for nobody (`optional`), and if the route has no `protect`. */
      tokenInfo?: TokenInfo | undefined;
    }
  }
}

export type ExpressMiddleware = (
  request: NodeRequest & { tokenInfo?: TokenInfo | undefined },
  response: NodeResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * Middleware for Express, and for other frameworks that call `(request, response, next)`: answers requests without a good
 * token, puts `tokenInfo` on the others. CORS preflights pass without one.
 * @throws ConfigurationError for rules that are none
 */
export function protect(verifier: Verifying, rules?: MiddlewareRules): ExpressMiddleware {
  const { guard, metadata, isAnswered } = middlewareProtection(verifier, rules);
  return (request, response, next) => {
    if (isPreflight(request.method, (name) => request.headers[name])) return next();
    const open = metadata(request.method, () => urlOf(request));
    if (open !== undefined) return send(response, open);
    guard(authorizationOf(request), askedBy(request)).then(
      (tokenInfo) => {
        request.tokenInfo = tokenInfo;
        next();
      },
      (error) => (isAnswered(error) ? send(response, error) : next(error)),
    );
  };
}
