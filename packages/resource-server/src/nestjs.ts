import {
  type CanActivate,
  ConfigurableModuleBuilder,
  createParamDecorator,
  type ExecutionContext,
  Inject,
  Injectable,
  Module,
  type NestModule,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, HttpAdapterHost } from '@nestjs/core';
import type { AccessRules, Requirement } from './bearer/access-rules.ts';
import { type Protection, protection, type Verifying } from './bearer/guard.ts';
import {
  askedBy,
  authorizationOf,
  type NodeRequest,
  type NodeResponse,
  send,
  urlOf,
} from './bearer/node-http.ts';
import { exceptionFor, isPreflightOf, requestOf } from './nestjs/host.ts';
import { accessErrors, neededBy } from './nestjs/needs.ts';
import type { TokenInfo as Info } from './token-info.ts';
import type { TokenVerifier } from './verifier/token-verifier.ts';

export { Public, Scopes } from './nestjs/needs.ts';

/**
 * A parameter of a handler: what the access token represents, undefined for nobody (`optional`) and on a public route. As a type it is the
 * token info.
 */
export const TokenInfo: () => ParameterDecorator = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => requestOf(context).tokenInfo,
);
export type TokenInfo = Info;

/** By these names NestJS injects the verifier, and the rules of every route. */
export const TOKEN_VERIFIER: unique symbol = Symbol('TOKEN_VERIFIER');
const ACCESS_RULES = Symbol('ACCESS_RULES');
const OPTIONS = Symbol('WatchwordOptions');

/**
 * Refuses requests without a good token, puts `tokenInfo` on the others. CORS preflights pass to `@Options()` without one. {@link WatchwordModule} puts it
 * before every route; without the module: `@UseGuards(new TokenGuard(verifier, rules))`.
 */
export class TokenGuard implements CanActivate {
  readonly #rules: AccessRules;
  readonly #protection: (rules: AccessRules) => Protection;
  /** By handler and controller: controllers that extend one share its handlers. */
  readonly #protections = new WeakMap<object, WeakMap<object, Protection>>();

  /** @throws ConfigurationError for rules that are none */
  constructor(verifier: Verifying, rules: AccessRules = {}) {
    this.#rules = rules;
    this.#protection = (all) => protection(verifier, all, {});
    this.#protection(rules);
  }

  /** @throws HttpException with status and body of the answer, whose headers are set; another error for a defect */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const scopes = neededBy(context);
    if (scopes === undefined) return true;
    if (context.getType() !== 'http') {
      throw new Error(
        `TokenGuard: expected a request of type http, got ${context.getType()}; make the handler @Public() and use createGuard in it`,
      );
    }
    if (isPreflightOf(context)) return true;
    const request = requestOf(context);
    const { headers, rawHeaders = request.raw?.rawHeaders ?? [] } = request;
    const authorization = authorizationOf({ headers, rawHeaders });
    try {
      request.tokenInfo = await this.#protectionOf(context, scopes).guard(authorization, askedBy(request));
      return true;
    } catch (error) {
      throw exceptionFor(error, context);
    }
  }

  #protectionOf(context: ExecutionContext, scopes: readonly Requirement[]): Protection {
    const [handler, controller] = [context.getHandler(), context.getClass()];
    const ofHandler = this.#protections.get(handler) ?? new WeakMap<object, Protection>();
    const known = ofHandler.get(controller) ?? this.#protectionNeeding(scopes);
    this.#protections.set(handler, ofHandler.set(controller, known));
    return known;
  }

  #protectionNeeding(scopes: readonly Requirement[]): Protection {
    const { scope = [], ...others } = this.#rules;
    const all = [scope, scopes].flat(2);
    return this.#protection(all.length === 0 ? others : { ...others, scope: all });
  }
}

export interface WatchwordOptions {
  readonly verifier: TokenVerifier;
  /** What every route needs, but for those that are `@Public()`. */
  readonly rules?: AccessRules;
}

const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<WatchwordOptions>({
  optionsInjectionToken: OPTIONS,
})
  .setClassMethodName('forRoot')
  .setExtras({}, (definition) => ({
    ...definition,
    global: true,
    providers: [
      ...(definition.providers ?? []),
      {
        provide: TOKEN_VERIFIER,
        inject: [OPTIONS],
        useFactory: ({ verifier }: WatchwordOptions) => verifier,
      },
      { provide: ACCESS_RULES, inject: [OPTIONS], useFactory: ({ rules = {} }: WatchwordOptions) => rules },
      TokenGuard,
      { provide: APP_GUARD, useExisting: TokenGuard },
      { provide: APP_INTERCEPTOR, useValue: accessErrors },
      { provide: APP_FILTER, useValue: accessErrors },
    ],
    exports: [TOKEN_VERIFIER, ACCESS_RULES, TokenGuard],
  }))
  .build();

/**
 * `imports: [WatchwordModule.forRoot({ verifier, rules })]` protects every route of the application, and closes the verifier at its end.
 * `forRootAsync({ inject, useFactory })` makes the options of other providers. Rules that are none are a `ConfigurationError` when the
 * application starts.
 */
export class WatchwordModule extends ConfigurableModuleClass implements NestModule, OnApplicationShutdown {
  readonly #verifier: TokenVerifier;
  readonly #rules: AccessRules;
  readonly #host: HttpAdapterHost;

  constructor(verifier: TokenVerifier, rules: AccessRules, host: HttpAdapterHost) {
    super();
    this.#verifier = verifier;
    this.#rules = rules;
    this.#host = host;
  }

  /** Guards see requests of routes alone, and the metadata are none. */
  configure(): void {
    const { metadata } = protection(this.#verifier, this.#rules, {});
    if (this.#verifier.resources.length === 0) return;
    this.#host.httpAdapter.use((request: NodeRequest, response: NodeResponse, next: () => void) => {
      const open = metadata(request.method, () => urlOf(request));
      if (open === undefined) next();
      else send(response, open);
    });
  }

  onApplicationShutdown(): void {
    this.#verifier.close();
  }
}

// Decorators are called, for they are no syntax that the compiler only has to remove.
Module({})(WatchwordModule);
Inject(TOKEN_VERIFIER)(WatchwordModule, undefined, 0);
Inject(ACCESS_RULES)(WatchwordModule, undefined, 1);
Inject(HttpAdapterHost)(WatchwordModule, undefined, 2);
Injectable()(TokenGuard);
Inject(TOKEN_VERIFIER)(TokenGuard, undefined, 0);
Inject(ACCESS_RULES)(TokenGuard, undefined, 1);
