import type { RedirectableError } from '../model/errors/errors.ts';
import type { ResourceOwner } from '../model/resource-owner.ts';
import type { Scopes } from '../model/scope.ts';
import type {
  Authenticated,
  AuthenticationRefused,
  LoginFormStep,
} from '../ports/modules/authentication-module.ts';
import type { ConsentFormStep } from '../ports/modules/consent-module.ts';
import type { Submission } from '../ports/modules/module-step.ts';
import type { BrowserCookies } from './browser.ts';
import type { AuthorizationRequest } from './request/authorization-request.ts';
import type { RestartReason } from './restart-reason.ts';
import type { LoginStepForm } from './steps/login-step.ts';
import type { ClientResponse, ResponseTarget, WayToClient } from './targets/target-kind.ts';

/** A page for the browser, or a redirect. */
export type AuthorizationAnswer = (
  | ClientResponse
  | ErrorPageAnswer
  | ForwardAnswer
  | AuthenticatorsPageAnswer
  | LoginPageAnswer
  | SignUpPageAnswer
  | TriedLoginAnswer
  | IdentifiedAnswer
  | LoginStepPageAnswer
  | SelectAccountPageAnswer
  | ConsentPageAnswer
  | AnsweredPageAnswer
) & {
  readonly cookies: BrowserCookies;
  /** What the browser sent with a page that had been open for too long, so that this page of the same request came instead of an answer. */
  readonly late?: Submission;
  /** Why this page comes, where the resource owner expected another one. */
  readonly again?: RestartReason | undefined;
  /** The error with which the authorization request ends. */
  readonly error?: RedirectableError;
};

/**
 * The request ends with an error before any login. The client gets the error only if the resource owner continues. Otherwise a
 * link to this server would lead to the page of any client that is registered here (RFC 9700 §4.11.2).
 */
export interface ErrorPageAnswer {
  readonly type: 'error';
  readonly error: RedirectableError;
  readonly target: ResponseTarget;
  /** Takes the error to the client; absent if it cannot get there. */
  readonly response?: WayToClient | undefined;
}

/** The browser is redirected to another server, where the resource owner logs in. */
export interface ForwardAnswer {
  readonly type: 'forward';
  readonly location: string;
  /** The browser posts them there. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** The user chooses one of several authenticators. */
export interface AuthenticatorsPageAnswer {
  readonly type: 'authenticators';
  /** Short enough for an address, because the link to each authenticator contains it. */
  readonly authState: string;
  /** Names of the authenticators. The authenticator of the last login in this browser is the first. */
  readonly names: readonly string[];
  /** The name of the authenticator of the last login in this browser, if it is one of them. */
  readonly last: string | undefined;
  /** Absent when the resource owner wants to see their own account. */
  readonly request?: AuthorizationRequest;
}

export interface LoginPageAnswer {
  readonly type: 'login';
  readonly step: LoginFormStep;
  readonly authState: string;
  /** Name of the module whose form it is. */
  readonly authenticator: string;
  /** Absent when the resource owner wants to see their own account. */
  readonly request?: AuthorizationRequest;
}

/** A person who is to make an account. */
export interface SignUpPageAnswer {
  readonly type: 'signUp';
  readonly authState: string;
  readonly request: AuthorizationRequest;
}

/** What came of a login that an administrator tried. */
export interface TriedLoginAnswer {
  readonly type: 'triedLogin';
  readonly step: Authenticated | AuthenticationRefused;
  readonly testId: string;
  /** Name of the authenticator. */
  readonly authenticator: string;
}

/** A person has logged in at another identity provider, and can be linked to the local account of the session that goes on. */
export interface IdentifiedAnswer {
  readonly type: 'identified';
  readonly authState: string;
}

/** A step of the login after the first factor. */
export interface LoginStepPageAnswer {
  readonly type: 'loginStep';
  readonly form: LoginStepForm;
  readonly authState: string;
  /** Whom the first factor has let in. */
  readonly owner: ResourceOwner;
  /** Absent when the resource owner wants to see their own account. */
  readonly request?: AuthorizationRequest;
}

/** A user who is logged in chooses whether to continue with this account. */
export interface SelectAccountPageAnswer {
  readonly type: 'selectAccount';
  readonly authState: string;
  readonly request: AuthorizationRequest;
  readonly owner: ResourceOwner;
}

export interface ConsentPageAnswer {
  readonly type: 'consent';
  readonly step: ConsentFormStep;
  readonly authState: string;
  readonly request: AuthorizationRequest;
  readonly owner: ResourceOwner;
  /** The scopes to which the resource owner is asked to consent. */
  readonly scopes: Scopes;
  /** Those of them that the resource owner consented to before. */
  readonly consented: Scopes;
}

/** The consent page was answered before. Its form starts the request again. */
export interface AnsweredPageAnswer {
  readonly type: 'answered';
  readonly authState: string;
  readonly request: AuthorizationRequest;
}
