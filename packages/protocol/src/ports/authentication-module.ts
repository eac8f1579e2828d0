import type { Client } from '../model/client.ts';
import type { OAuthError } from '../model/errors.ts';
import type { Principal } from '../model/principal.ts';
import type { ResourceServer } from '../model/resource-server.ts';
import type { ModuleEndpoint } from './module-endpoint.ts';
import type { ModuleOptionsError } from './module-options-error.ts';
import type { ModuleServices } from './module-services.ts';
import type { FormStep, PostStep, RedirectStep, Submission } from './module-step.ts';

/**
 * Authenticates resource owners. A module is built in, or a package or file that exports a factory. The server asks it
 * only when there is no valid login session.
 */
export interface AuthenticationModule {
  /** A name that never changes: it is the identity provider of the module's users, unless the module names others. */
  readonly name: string;
  /**
   * Why this module must not be used outside of development: a key of the locale files, or the text itself. Absent for a
   * module that really authenticates. The server writes it into the log at each start, in English, shows it on the login
   * page, and refuses to start when other machines can reach it.
   */
  readonly insecureBecause?: string;
  /**
   * What the page says on which users choose between several modules: a key of the locale files or the text itself.
   * The operator can replace it. Default: the name.
   */
  readonly label?: string;
  /** The first step of a login. */
  begin(context: AuthenticationContext): Promise<AuthenticationStep>;
  /** The next step, after a form or a redirect of this module. */
  resume(context: AuthenticationContext, submission: Submission): Promise<AuthenticationStep>;
  /** Addresses that the module answers itself. */
  readonly endpoints?: readonly ModuleEndpoint[];
  /** Texts for pages, by language and key. Operators can replace them, as they can replace those of the server. */
  readonly texts?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /**
   * The resource owner logs out. Resolves with the URL at which the session at the identity provider ends too, or with
   * `undefined`.
   *
   * @param data of the link in `authenticated`
   */
  logout?(data: string): Promise<string | undefined>;
  /**
   * Whether the module is configured with this identity provider, for a module that names identity providers in
   * `authenticated`. Tokens and sessions of users of any other identity provider are refused until it is configured again.
   * The server asks at each lookup, so the answer comes from memory. `undefined`: not known yet. Default: the module is its
   * only identity provider, under its name.
   */
  isConfigured?(identityProvider: string): boolean | undefined;
  /** Ends the background work of the module. */
  close?(): Promise<void>;
}

export interface AuthenticationContext {
  /** The client that asks for access; `undefined` when the resource owner wants to see their own account. */
  readonly client: Client | undefined;
  readonly resourceServer: ResourceServer | undefined;
  /** The network address of the browser. */
  readonly source: string;
  /** The client wants a new login: a session at an identity provider is not enough (`prompt=login`, `max_age`). */
  readonly isFresh: boolean;
  /** Id of the request in the log. */
  readonly requestId: string;
  /** The `state` of the step before; `undefined` in `begin`. */
  readonly state: unknown;
}

export type AuthenticationStep =
  | Authenticated
  | LoginFormStep
  | RedirectStep
  | PostStep
  | AuthenticationRefused;

export interface Authenticated {
  readonly type: 'authenticated';
  /** Exactly what token info later answers. */
  readonly principal: Principal;
  /**
   * What identifies the person at the identity provider and never changes, though the name may: 1 to 1,024 characters. It must
   * never be given to another person. The subject (`sub`) is made of it; without one it is made of the name. A module
   * gives it for every person or for none: a person who gets one later is another person.
   */
  readonly stableId?: string;
  /**
   * Epoch milliseconds: when the person logged in, where that was earlier, in a session at the identity provider. `max_age` is
   * measured from it. Default: now.
   */
  readonly authenticatedAt?: number;
  /** How the person logged in: authentication method reference values (RFC 8176), such as `pwd`. Default: not known. */
  readonly amr?: readonly string[];
  /** How strong that is: an authentication context class reference, such as a URI of SAML. Default: not known. */
  readonly acr?: string;
  /**
   * The identity provider that vouches for the name, such as an entity ID. Default: the module, under its name. It must be
   * one that `isConfigured` knows, and none that is reserved (`isReservedIdentityProvider`). The same name at another identity
   * provider is another person.
   */
  readonly identityProvider?: string;
  /**
   * Asked when the login session is stored: whether the login is still valid. A change of the account during the login ended
   * all sessions but this one, which it could not see. `false` ends the session. Default: the login is valid.
   */
  stillHolds?(): Promise<boolean>;
  /** Links the login session to the session at the identity provider, for `logout` and `LogoutAnswer`. */
  readonly link?: { readonly key: string; readonly data: string };
}

/** Shows the login page. */
export interface LoginFormStep extends FormStep {
  /** Default: `username` and `password`. */
  readonly fields?: readonly LoginField[];
}

export interface LoginField {
  /** Name of the parameter; not `auth_state`. */
  readonly name: string;
  /** Key of the locale files, or the text itself. */
  readonly label: string;
  readonly type: 'text' | 'password' | 'email' | 'tel';
  /** `autocomplete` of HTML, e.g. `username`, `current-password`, `one-time-code`. */
  readonly autocomplete: string;
  /** The value of the field at first; never a password. */
  readonly value?: string;
}

/** The login failed and cannot be repeated: the client receives `access_denied`. */
export interface AuthenticationRefused {
  readonly type: 'refused';
  /** For the developer of the client: ASCII without `"` and `\`, and nothing about the person. */
  readonly description: string;
}

/** The default export of a package or file that the setting `authenticator` or `authenticators` names. */
export type AuthenticationModuleFactory = (
  options: ModuleOptions,
) => AuthenticationModule | Promise<AuthenticationModule>;

export interface ModuleOptions {
  /** The options of the module, as they are in the configuration. The module checks them. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Writes a line into the log of the server; never with a secret, token, code or password. */
  log(level: 'info' | 'warn' | 'error', message: string, details?: Readonly<Record<string, unknown>>): void;
  readonly services: ModuleServices;
  readonly errors: ModuleErrors;
}

/** Error classes for a module to throw. They are handed over, because a module can be where it cannot import this package. */
export interface ModuleErrors {
  /** Ends the login or the request with an error page: see `OAuthErrorDetails.text`. */
  readonly OAuthError: typeof OAuthError;
  /** Thrown by a factory: everything that is wrong with its options. */
  readonly ModuleOptionsError: typeof ModuleOptionsError;
}
