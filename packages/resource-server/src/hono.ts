import type {} from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { Verifying } from './bearer/guard.ts';
import { type MiddlewareRules, middlewareProtection } from './bearer/middleware.ts';
import { isPreflight } from './bearer/preflight.ts';
import { AccessError } from './errors.ts';
import { responseOf, type WebResponse } from './platform/platform.ts';
import type { TokenInfo } from './token-info.ts';

export type { MiddlewareRules } from './bearer/middleware.ts';

declare module 'hono' {
  interface ContextVariableMap {
    /** What the access token represents; undefined for nobody (`optional`), and if the route has no `protect`. */
    tokenInfo: TokenInfo | undefined;
  }
}

// Error handling for Hono looks for `instanceof HTTPException`. The helpers throw errors that know no framework, so these inherit from it.
Object.setPrototypeOf(AccessError.prototype, HTTPException.prototype);

/** What `@hono/node-server` says of a request. */
interface NodeBindings {
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string | undefined } };
}

interface HonoContext {
  readonly req: { readonly method: string; readonly url: string; header(name: string): string | undefined };
  readonly env?: unknown;
  get(name: 'tokenInfo'): TokenInfo | undefined;
  set(name: 'tokenInfo', value: TokenInfo | undefined): void;
}

// biome-ignore lint/suspicious/noConfusingVoidType: so that Hono takes it for middleware
export type HonoMiddleware = (context: HonoContext, next: () => Promise<void>) => Promise<WebResponse | void>;

/**
 * Middleware for Hono: answers requests without a good token, sets the variable `tokenInfo` for the others. CORS
 * preflights pass without one.
 * @throws ConfigurationError for rules that are none
 */
export function protect(verifier: Verifying, rules?: MiddlewareRules): HonoMiddleware {
  const { guard, metadata, isAnswered } = middlewareProtection(verifier, rules);
  return async (context, next) => {
    const { req } = context;
    const url = () => req.url;
    const open = metadata(req.method, url);
    if (open !== undefined) return responseOf(open);
    if (!isPreflight(req.method, (name) => req.header(name))) {
      const authorization = req.header('authorization');
      try {
        const asked = {
          method: req.method,
          url,
          header: (name: string) => req.header(name),
          peer: (context.env as NodeBindings | undefined)?.incoming?.socket?.remoteAddress,
          request: context,
          tokenInfo: context.get('tokenInfo'),
        };
        context.set('tokenInfo', await guard(authorization ?? [], asked));
      } catch (error) {
        if (isAnswered(error)) return error.getResponse();
        throw error;
      }
    }
    return next();
  };
}
