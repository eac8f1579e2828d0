import type { OpenAnswer, Verifying } from './bearer/guard.ts';
import { type MiddlewareRules, middlewareProtection } from './bearer/middleware.ts';
import { askedBy, authorizationOf, type NodeRequest, urlOf } from './bearer/node-http.ts';
import { isPreflight } from './bearer/preflight.ts';
import type { TokenInfo } from './token-info.ts';

export type { MiddlewareRules } from './bearer/middleware.ts';

/** For typed handlers: `new Koa<KoaState>()`. */
export interface KoaState {
  /** What the access token represents; undefined for nobody (`optional`), and if no `protect` ran. */
  tokenInfo?: TokenInfo | undefined;
}

interface KoaContext {
  readonly method: string;
  readonly originalUrl: string;
  readonly req: NodeRequest;
  readonly state: KoaState;
  status: number;
  body: unknown;
  set(headers: Record<string, string>): void;
}

export type KoaMiddleware = (context: KoaContext, next: () => Promise<unknown>) => Promise<void>;

/**
 * Middleware for Koa: answers requests without a good token, puts `tokenInfo` into `context.state` of the others. CORS
 * preflights pass without one.
 * @throws ConfigurationError for rules that are none
 */
export function protect(verifier: Verifying, rules?: MiddlewareRules): KoaMiddleware {
  const { guard, metadata, isAnswered } = middlewareProtection(verifier, rules);
  return async (context, next) => {
    const { method, req, originalUrl, state } = context;
    const url = () => urlOf({ headers: req.headers, originalUrl });
    const open = metadata(method, url);
    if (open !== undefined) return answer(context, open);
    if (!isPreflight(method, (name) => req.headers[name])) {
      try {
        const asked = { ...askedBy(req), url, tokenInfo: state.tokenInfo };
        state.tokenInfo = await guard(authorizationOf(req), asked);
      } catch (error) {
        if (!isAnswered(error)) throw error;
        // Thrown errors lose the headers of middleware before, such as those of CORS.
        return answer(context, error);
      }
    }
    await next();
  };
}

function answer(context: KoaContext, { status, headers, body }: OpenAnswer): void {
  context.status = status;
  context.set({ ...headers, 'content-type': 'application/json' });
  context.body = body;
}
