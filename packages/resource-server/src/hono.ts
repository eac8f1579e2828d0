import type {} from 'hono';
import { HTTPException } from 'hono/http-exception';
import { type MiddlewareRules, middlewareGuard } from './bearer/middleware.ts';
import { isPreflight } from './bearer/preflight.ts';
import { AccessError } from './errors.ts';
import type { WebResponse } from './platform/platform.ts';
import type { TokenInfo } from './token-info.ts';
import type { TokenVerifier } from './verifier/token-verifier.ts';

export type { MiddlewareRules } from './bearer/middleware.ts';

declare module 'hono' {
  interface ContextVariableMap {
    /** What the access token represents; undefined for nobody (`optional`), and if the route has no `protect`. */
    tokenInfo: TokenInfo | undefined;
  }
}

// Error handling for Hono looks for `instanceof HTTPException`. The helpers throw errors that know no framework, so these inherit from it.
Object.setPrototypeOf(AccessError.prototype, HTTPException.prototype);

interface HonoContext {
  readonly req: { readonly method: string; header(name: string): string | undefined };
  set(name: 'tokenInfo', value: TokenInfo | undefined): void;
}

// biome-ignore lint/suspicious/noConfusingVoidType: so that Hono takes it for middleware
export type HonoMiddleware = (context: HonoContext, next: () => Promise<void>) => Promise<WebResponse | void>;

/**
 * Middleware for Hono: answers requests without a good token, sets the variable `tokenInfo` for the others. CORS
 * preflights pass without one.
 * @throws ConfigurationError for rules that are none
 */
export function protect(verifier: Pick<TokenVerifier, 'verify'>, rules?: MiddlewareRules): HonoMiddleware {
  const { guard, isAnswered } = middlewareGuard(verifier, rules);
  return async (context, next) => {
    const { req } = context;
    if (!isPreflight(req.method, (name) => req.header(name))) {
      const authorization = req.header('authorization');
      try {
        context.set('tokenInfo', await guard(authorization === undefined ? [] : [authorization]));
      } catch (error) {
        if (isAnswered(error)) return error.getResponse();
        throw error;
      }
    }
    return next();
  };
}
