import type { Client } from '../model/client.ts';
import type { OAuthError } from '../model/errors.ts';
import type { Principal } from '../model/principal.ts';
import type { ResourceServer } from '../model/resource-server.ts';
import type { ModuleEndpoint } from './module-endpoint.ts';
import type { ModuleOptionsError } from './module-options-error.ts';
import type { ModuleServices } from './module-services.ts';
import type { FormStep, PostStep, RedirectStep, Submission } from './module-step.ts';

/**
 * Finds out who the resource owner is. Built in, or a package or file that exports a factory; the server asks
 * it only when no login session holds.
 */
export interface AuthenticationModule {
  /** Stable name: principals of one module are never those of another. */
  readonly name: string;
  /**
   * Why this module must not decide who gets in outside of development, a key of the locale files or the text itself;
   * absent for a module that really authenticates. The server says it in the log at every start, in English, and on
   * the login page, and refuses to serve a base URL that is not loopback.
   */
  readonly insecureBecause?: string;
  /**
   * What the page says on which users choose between several modules: a key of the locale files or the text itself.
   * The operator can replace it. Default: the name.
   */
  readonly label?: string;
  /** The first step for an owner who arrives. */
  begin(context: AuthenticationContext): Promise<AuthenticationStep>;
  /** The next step after a form or a redirect of this module's. */
  resume(context: AuthenticationContext, submission: Submission): Promise<AuthenticationStep>;
  /** Addresses of the module's own. */
  readonly endpoints?: readonly ModuleEndpoint[];
  /** What it says on pages: texts by key, by language. Operators replace them like those of the server. */
  readonly texts?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /**
   * The owner logs out: where the browser is to go so that their session elsewhere ends too; `undefined` when nowhere.
   *
   * @param data of the link that `authenticated` gave the session
   */
  logout?(data: string): Promise<string | undefined>;
  /**
   * Whether people can log in by this identity provider, for a module that names one in `authenticated`; it alone knows
   * which it is configured with. What the people of any other have is refused until it is configured again. Asked at every
   * lookup, so it answers from memory; `undefined` while it cannot tell. Default: the module is its only identity provider,
   * under its name.
   */
  isConfigured?(identityProvider: string): boolean | undefined;
  /** Ends what the module does in the background. */
  close?(): Promise<void>;
}

export interface AuthenticationContext {
  /** Who asks for access; `undefined` when the owner wants to see their own account. */
  readonly client: Client | undefined;
  readonly resourceServer: ResourceServer | undefined;
  /** The network address of the browser. */
  readonly source: string;
  /** The client insists on a login of now: a session that the owner has elsewhere must not do. */
  readonly isFresh: boolean;
  /** Id of the request in the log. */
  readonly requestId: string;
  /** What the step before put into `state`; `undefined` in `begin`. */
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
   * Who vouches for the name, where that is not the module itself: the entity id of an identity provider. One that
   * `isConfigured` knows. The same name from another one is another person. Reserved ones are refused
   * (`isReservedAuthority`).
   */
  readonly identityProvider?: string;
  /**
   * Asked once the login session is stored: whether this is still so. What ended the sessions of the principal before
   * did not see this one. `false` ends it, and nobody comes in. Default: it is.
   */
  stillHolds?(): Promise<boolean>;
  /** Ties the login session to that which the person has elsewhere, for `logout` and `LogoutAnswer`. */
  readonly link?: { readonly key: string; readonly data: string };
}

/** Show the login page. */
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
  /** Shown in the field; never a password. */
  readonly value?: string;
}

/** The login failed for good: the client is told `access_denied`. */
export interface AuthenticationRefused {
  readonly type: 'refused';
  /** For the client's developer: ASCII without `"` and `\`, nothing about the person. */
  readonly description: string;
}

/** What a package or file that is named as `authenticator` exports as its default. */
export type AuthenticationModuleFactory = (
  options: ModuleOptions,
) => AuthenticationModule | Promise<AuthenticationModule>;

export interface ModuleOptions {
  /** The setting `authenticatorOptions` or `consentOptions`, as it stands in the configuration. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Writes a line for the operator; never with a secret, token, code or password. */
  log(level: 'info' | 'warn' | 'error', message: string, details?: Readonly<Record<string, unknown>>): void;
  readonly services: ModuleServices;
  readonly errors: ModuleErrors;
}

/** What a module throws on purpose, for one that stands where it cannot import this package. */
export interface ModuleErrors {
  /** Ends the login or the request with a page: see `OAuthErrorDetails.text`. */
  readonly OAuthError: typeof OAuthError;
  /** Thrown by a factory: says what is wrong with its options. */
  readonly ModuleOptionsError: typeof ModuleOptionsError;
}
