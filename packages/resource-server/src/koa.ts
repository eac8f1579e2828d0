import { type MiddlewareRules, middlewareGuard } from './bearer/middleware.ts';
import { authorizationOf, type NodeRequest } from './bearer/node-http.ts';
import { isPreflight } from './bearer/preflight.ts';
import type { TokenInfo } from './token-info.ts';
import type { TokenVerifier } from './verifier/token-verifier.ts';

export type { MiddlewareRules } from './bearer/middleware.ts';

/** For typed handlers: `new Koa<KoaState>()`. */
export interface KoaState {
  /** What the access token represents; undefined for nobody (`optional`), and if no `protect` ran. */
  tokenInfo?: TokenInfo | undefined;
}

interface KoaContext {
  readonly method: string;
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
export function protect(verifier: Pick<TokenVerifier, 'verify'>, rules?: MiddlewareRules): KoaMiddleware {
  const { guard, isAnswered } = middlewareGuard(verifier, rules);
  return async (context, next) => {
    const { method, req } = context;
    if (!isPreflight(method, (name) => req.headers[name])) {
      try {
        context.state.tokenInfo = await guard(authorizationOf(req));
      } catch (error) {
        if (!isAnswered(error)) throw error;
        // Thrown errors lose the headers of middleware before, such as those of CORS.
        context.status = error.status;
        context.set({ ...error.headers, 'content-type': 'application/json' });
        context.body = error.body;
        return;
      }
    }
    await next();
  };
}
