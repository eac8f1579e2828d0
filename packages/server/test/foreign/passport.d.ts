/** The parts of passport and passport-oauth2 that the tests use. */
declare module 'passport' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  type Middleware = (
    request: IncomingMessage,
    response: ServerResponse,
    next: (error?: unknown) => void,
  ) => void;

  export class Passport {
    use(strategy: object): void;
    authenticate(
      strategy: string,
      options: { session: false },
      done: (error: unknown, user: unknown, info: unknown) => void,
    ): Middleware;
  }
}

declare module 'passport-oauth2' {
  export interface StrategyOptions {
    authorizationURL: string;
    tokenURL: string;
    clientID: string;
    clientSecret: string;
    callbackURL: string;
    scope: string[];
    state: boolean;
    pkce: boolean;
  }

  type Verified = (error: unknown, user?: unknown) => void;

  export class Strategy {
    constructor(
      options: StrategyOptions,
      verify: (
        accessToken: string,
        refreshToken: string | undefined,
        parameters: Record<string, unknown>,
        profile: unknown,
        verified: Verified,
      ) => void,
    );
  }

  export class TokenError extends Error {
    readonly code: string;
  }
}
