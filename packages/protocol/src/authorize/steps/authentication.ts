import { OAuthError } from '../../model/errors/errors.ts';
import type { LoginSession } from '../../model/records/login-session.ts';
import type {
  AuthenticationContext,
  AuthenticationModule,
  AuthenticationStep,
  LoggedInUser,
  LoginFormStep,
} from '../../ports/modules/authentication-module.ts';
import type { Authenticators } from '../../ports/modules/authenticators.ts';
import { type Submission, submitted } from '../../ports/modules/module-step.ts';
import type { SecurityLog } from '../../ports/system/security-log.ts';
import { levelClasses } from '../../rules/login-strength.ts';
import type { Interaction } from '../interaction.ts';
import type { AuthorizationRequest } from '../request/authorization-request.ts';
import { askedClasses } from '../required-login.ts';
import { deviceOf } from '../sessions/device.ts';

export interface AuthenticationModuleDependencies {
  readonly authenticators: Authenticators;
  readonly securityLog: SecurityLog;
}

/** Calls an authentication module. A failed login is reported to the security log. */
export class Authentication {
  readonly #deps: AuthenticationModuleDependencies;

  constructor(deps: AuthenticationModuleDependencies) {
    this.#deps = deps;
  }

  /** @param session in which the browser is */
  begin(
    authenticator: AuthenticationModule,
    interaction: Interaction,
    session: LoginSession | undefined,
  ): Promise<AuthenticationStep> {
    const context = this.#context(interaction, session, undefined);
    return this.#attempt(authenticator, context, new Map(), () => authenticator.begin(context));
  }

  /** @param state the state of the previous step */
  resume(
    authenticator: AuthenticationModule,
    interaction: Interaction,
    session: LoginSession | undefined,
    state: unknown,
    submission: Submission,
  ): Promise<AuthenticationStep> {
    const context = this.#context(interaction, session, state);
    return this.#attempt(authenticator, context, submission, () => authenticator.resume(context, submission));
  }

  #context(
    { request, browser, testId, linkTo, mustLogIn = false }: Interaction,
    session: LoginSession | undefined,
    state: unknown,
  ): AuthenticationContext {
    const maxAge = mustLogIn ? 0 : request && acceptedAge(request);
    return {
      client: request?.client,
      resourceServer: request?.resourceServer,
      source: browser.source,
      isAtThisMachine: browser.isAtThisMachine === true,
      device: browser.device,
      deviceName: deviceOf(browser.userAgent),
      language: browser.language,
      selectsAccount: linkTo !== undefined || (request !== undefined && selectsAccount(request)),
      loginHint: request?.loginHint,
      acrValues: request === undefined ? [] : wantedClasses(request),
      uiLocales: request?.uiLocales ?? [],
      display: request?.display,
      isFresh: maxAge !== undefined,
      maxAge,
      requestId: browser.requestId,
      loggedIn: session && loggedIn(session),
      state,
      ...(testId !== undefined && { isTest: true }),
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
      const account = name === undefined ? undefined : { identityProvider: authenticator.name, name };
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

function loggedIn({ owner, authentication }: LoginSession): LoggedInUser {
  const { authenticatedAt, amr, acr } = authentication;
  const { identityProvider, principal } = owner;
  return { identityProvider, principal, authenticatedAt, amr, acr };
}

/** The user who logs in can have to be another one than at the identity provider: the user whom the client names. */
function selectsAccount({ prompt, openid }: AuthorizationRequest): boolean {
  return prompt.includes('select_account') || openid?.hintedSubject !== undefined;
}

/** In seconds. */
function acceptedAge({ prompt, maxAge }: AuthorizationRequest): number | undefined {
  return prompt.includes('login') ? 0 : maxAge;
}

function wantedClasses(request: AuthorizationRequest): readonly string[] {
  const { loginLevel } = request.client;
  const own = loginLevel === '' ? [] : [levelClasses[loginLevel]];
  return [...new Set([...own, ...(askedClasses(request) ?? [])])];
}

/** A failed login, as the security log reports it, with the name as the user typed it. */
export interface LoginFailure {
  readonly reason: string;
  readonly status: number | undefined;
  readonly name: string | undefined;
}

/** The reason why a step, or an error, is a failed login; `undefined` if it is not a failed login. */
export function loginFailure(
  outcome: AuthenticationStep | OAuthError,
  submission: Submission,
): LoginFailure | undefined {
  if (outcome instanceof OAuthError) {
    return { reason: outcome.text?.key ?? outcome.kind, status: undefined, name: typedName(submission) };
  }
  if (outcome.type === 'refused') {
    return { reason: 'refused', status: undefined, name: typedName(submission) };
  }
  if (outcome.type !== 'form' || (outcome.status ?? 200) < 400) return undefined;
  const { status, message, fields } = outcome;
  // A text of a module can contain anything, so the log gets only the key of a text.
  const reason = typeof message === 'object' ? message.key : 'form';
  return { reason, status, name: typedName(submission, fields) };
}

function typedName(submission: Submission, fields?: LoginFormStep['fields']): string | undefined {
  const field = fields?.find(({ autocomplete }) => autocomplete.split(' ').includes('username'));
  return submitted(submission, field?.name ?? 'username').trim() || undefined;
}
