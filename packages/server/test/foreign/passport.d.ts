/** The parts of passport and of its strategies that the tests use. */
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
      done?: (error: unknown, user: unknown, info: unknown) => void,
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

declare module 'passport-openidconnect' {
  export interface StrategyOptions {
    issuer: string;
    authorizationURL: string;
    tokenURL: string;
    userInfoURL: string;
    clientID: string;
    clientSecret: string;
    callbackURL: string;
    scope: string[];
    nonce: boolean;
    maxAge: number;
    skipUserProfile: boolean;
  }

  export interface Profile {
    readonly id: string;
    readonly displayName?: string;
    readonly emails?: readonly { readonly value: string }[];
  }

  type Verified = (error: unknown, user?: unknown) => void;

  export class Strategy {
    constructor(
      options: StrategyOptions,
      verify: (issuer: string, profile: Profile, verified: Verified) => void,
    );
  }
}

declare module 'express-session' {
  import type { RequestHandler } from 'express';

  /** Sessions of a website, in memory. */
  // biome-ignore lint/style/noDefaultExport: the package has a default export
  export default function session(options: {
    secret: string;
    resave: boolean;
    saveUninitialized: boolean;
  }): RequestHandler;

  export class MemoryStore {
    get(id: string, callback: (error: unknown, session?: never) => void): void;
    set(id: string, session: unknown, callback?: (error?: unknown) => void): void;
    destroy(id: string, callback?: (error?: unknown) => void): void;
  }
}
