import type { Client } from '../model/client.ts';
import type { OAuthError } from '../model/errors.ts';
import type { ResourceOwner } from '../model/resource-owner.ts';
import type { ResourceServer } from '../model/resource-server.ts';
import type { Scopes } from '../model/scope.ts';
import type { LoginFormStep } from '../ports/authentication-module.ts';
import type { ConsentFormStep } from '../ports/consent-module.ts';
import type { BrowserCookies } from './browser.ts';
import type { AuthorizationRequest } from './request.ts';

/** What the browser is shown, or where it is sent. */
export type AuthorizationAnswer = (
  | RedirectAnswer
  | RefusalPageAnswer
  | PostAnswer
  | AuthenticatorsPageAnswer
  | LoginPageAnswer
  | ConsentPageAnswer
  | AnsweredPageAnswer
) & {
  readonly cookies: BrowserCookies;
};

export interface RedirectAnswer {
  readonly type: 'redirect';
  readonly location: string;
  /** It leads to where the owner logs in, and not back to the client. */
  readonly isLogin?: true;
}

/**
 * The request is refused before anybody has logged in. The client is told only when the person goes on: else a link to
 * this server would lead wherever somebody has registered a client (RFC 9700 §4.11.2).
 */
export interface RefusalPageAnswer {
  readonly type: 'refusal';
  readonly error: OAuthError;
  /** Tells the client. */
  readonly location: string;
}

/** The browser posts a form elsewhere. */
export interface PostAnswer {
  readonly type: 'post';
  readonly location: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** What a page of a login is about. All of it is absent when the owner came for their own account. */
interface LoginFor {
  readonly request?: AuthorizationRequest;
  readonly client?: Client;
  readonly resourceServer?: ResourceServer;
}

/** The user chooses one of several authenticators. */
export interface AuthenticatorsPageAnswer extends LoginFor {
  readonly type: 'authenticators';
  /** Short enough for an address: it stands in a link for each authenticator. */
  readonly authState: string;
  /** Their names. That of the last login in this browser comes first. */
  readonly names: readonly string[];
  /** The name of the last login, if it is one of them. */
  readonly last: string | undefined;
}

export interface LoginPageAnswer extends LoginFor {
  readonly type: 'login';
  readonly step: LoginFormStep;
  readonly authState: string;
  /** Name of the module whose form it is. */
  readonly authenticator: string;
}

export interface ConsentPageAnswer {
  readonly type: 'consent';
  readonly step: ConsentFormStep;
  readonly authState: string;
  readonly request: AuthorizationRequest;
  readonly client: Client;
  readonly resourceServer: ResourceServer;
  readonly owner: ResourceOwner;
  readonly scopes: Scopes;
  /** Those of them that the owner agreed to before. */
  readonly consented: Scopes;
}

/** The consent page was answered before. Its form begins again with the request. */
export interface AnsweredPageAnswer {
  readonly type: 'answered';
  readonly authState: string;
  readonly request: AuthorizationRequest;
  readonly client: Client;
}
