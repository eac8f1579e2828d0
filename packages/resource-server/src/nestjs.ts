import {
  type CanActivate,
  ConfigurableModuleBuilder,
  createParamDecorator,
  type ExecutionContext,
  Inject,
  Injectable,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import type { AccessRules, Requirement } from './bearer/access-rules.ts';
import { type Guard, guardWith } from './bearer/guard.ts';
import { authorizationOf } from './bearer/node-http.ts';
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
  readonly #guardWith: (rules: AccessRules) => Guard<Info | undefined>;
  /** By handler and controller: controllers that extend one share its handlers. */
  readonly #guards = new WeakMap<object, WeakMap<object, Guard<Info | undefined>>>();

  /** @throws ConfigurationError for rules that are none */
  constructor(verifier: Pick<TokenVerifier, 'verify'>, rules: AccessRules = {}) {
    this.#rules = rules;
    this.#guardWith = (all) => guardWith(verifier, all, {});
    this.#guardWith(rules);
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
    try {
      request.tokenInfo = await this.#guardOf(context, scopes)(authorizationOf({ headers, rawHeaders }));
      return true;
    } catch (error) {
      throw exceptionFor(error, context);
    }
  }

  #guardOf(context: ExecutionContext, scopes: readonly Requirement[]): Guard<Info | undefined> {
    const [handler, controller] = [context.getHandler(), context.getClass()];
    const ofHandler = this.#guards.get(handler) ?? new WeakMap<object, Guard<Info | undefined>>();
    const guard = ofHandler.get(controller) ?? this.#guardNeeding(scopes);
    this.#guards.set(handler, ofHandler.set(controller, guard));
    return guard;
  }

  #guardNeeding(scopes: readonly Requirement[]): Guard<Info | undefined> {
    const { scope = [], ...others } = this.#rules;
    const all = [scope, scopes].flat(2);
    return this.#guardWith(all.length === 0 ? others : { ...others, scope: all });
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
export class WatchwordModule extends ConfigurableModuleClass implements OnApplicationShutdown {
  readonly #verifier: TokenVerifier;

  constructor(verifier: TokenVerifier) {
    super();
    this.#verifier = verifier;
  }

  onApplicationShutdown(): void {
    this.#verifier.close();
  }
}

// Decorators are called, for they are no syntax that the compiler only has to remove.
Module({})(WatchwordModule);
Inject(TOKEN_VERIFIER)(WatchwordModule, undefined, 0);
Injectable()(TokenGuard);
Inject(TOKEN_VERIFIER)(TokenGuard, undefined, 0);
Inject(ACCESS_RULES)(TokenGuard, undefined, 1);
