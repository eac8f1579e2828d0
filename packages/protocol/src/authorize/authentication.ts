import { OAuthError } from '../model/errors.ts';
import type {
  AuthenticationContext,
  AuthenticationModule,
  AuthenticationStep,
} from '../ports/authentication-module.ts';
import type { Authenticators } from '../ports/authenticators.ts';
import type { Submission } from '../ports/module-step.ts';
import type { Registry } from '../ports/registry.ts';
import type { SecurityLog } from '../ports/security-log.ts';
import { loginFailure } from './failed-login.ts';
import { partiesOf } from './parties.ts';
import type { Visit } from './visit.ts';

export interface AuthenticationModuleDependencies {
  readonly authenticators: Authenticators;
  readonly registry: Registry;
  readonly securityLog: SecurityLog;
}

/** Asks an authentication module. A failed login goes to the security log. */
export class Authentication {
  readonly #deps: AuthenticationModuleDependencies;

  constructor(deps: AuthenticationModuleDependencies) {
    this.#deps = deps;
  }

  begin(authenticator: AuthenticationModule, visit: Visit): Promise<AuthenticationStep> {
    const context = this.#context(visit, undefined);
    return this.#attempt(authenticator, context, new Map(), () => authenticator.begin(context));
  }

  /** @param state what the step before has kept */
  resume(
    authenticator: AuthenticationModule,
    visit: Visit,
    state: unknown,
    submission: Submission,
  ): Promise<AuthenticationStep> {
    const context = this.#context(visit, state);
    return this.#attempt(authenticator, context, submission, () => authenticator.resume(context, submission));
  }

  #context({ request, browser }: Visit, state: unknown): AuthenticationContext {
    const parties = request === undefined ? undefined : partiesOf(request, this.#deps.registry);
    return {
      client: parties?.client,
      resourceServer: parties?.resourceServer,
      source: browser.source,
      isFresh: request !== undefined && (request.prompt.includes('login') || request.maxAge !== undefined),
      requestId: browser.requestId,
      state,
    };
  }

  async #attempt(
    authenticator: AuthenticationModule,
    { client, source, requestId }: AuthenticationContext,
    submission: Submission,
    ask: () => Promise<AuthenticationStep>,
  ): Promise<AuthenticationStep> {
    const { securityLog } = this.#deps;
    const report = (outcome: AuthenticationStep | OAuthError) => {
      const failure = loginFailure(outcome, submission);
      if (failure === undefined) return;
      const { name, ...why } = failure;
      const account = name === undefined ? undefined : { authority: authenticator.name, name };
      const who = { requestId, source, clientId: client?.clientId, account };
      securityLog.loginFailed({ ...who, ...why, authenticator: authenticator.name });
    };
    try {
      const step = await ask();
      report(step);
      return step;
    } catch (error) {
      if (error instanceof OAuthError) report(error);
      throw error;
    }
  }
}
