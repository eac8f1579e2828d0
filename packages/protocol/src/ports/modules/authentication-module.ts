import type { OAuthError } from '../../model/errors/errors.ts';
import type { LoginLevel } from '../../model/login-level.ts';
import type { Principal } from '../../model/principal.ts';
import type { ProvidedClaims } from '../../model/provided-claims.ts';
import type { Client } from '../../model/records/client.ts';
import type { ResourceServer } from '../../model/records/resource-server.ts';
import type { ModuleDescription } from './module-description.ts';
import type { ModuleEndpoint } from './module-endpoint.ts';
import type { ModuleOptionsError } from './module-options-error.ts';
import type { ModuleServices } from './module-services.ts';
import type { FormStep, Message, PasskeyRequest, PostStep, RedirectStep, Submission } from './module-step.ts';

/**
 * Authenticates resource owners. A module is built in, or is a package or file that exports a factory. The server calls it
 * only if there is no valid login session.
 */
export interface AuthenticationModule {
  /** A name that never changes: it is the identity provider of the module's users, unless the module names others. */
  readonly name: string;
  /**
   * The reason why this module is for development only: a key of the locale files, or the text itself. Absent for a module that
   * really authenticates. The server writes the reason to the log at each start, in English, and shows it on the login page.
   * If other machines can reach the server, the server does not start.
   */
  readonly insecureBecause?: string;
  /**
   * The text for this module on the page on which users choose an authenticator: a key of the locale files, or the text
   * itself. The operator can replace it. Default: the name.
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
   * `authenticated`. Tokens and sessions of users of any other identity provider are not valid until it is configured again.
   * The server asks at each lookup, so the answer comes from memory. `undefined`: not known yet. Default: the module is its
   * only identity provider, under its name.
   */
  isConfigured?(identityProvider: string): boolean | undefined;
  /**
   * What is wrong with the module now, in sentences for the operator: for example metadata that could not be loaded again. It
   * must not contain a secret. Default: nothing.
   */
  problems?(): readonly string[];
  /** What administrators see of the module. Default: nothing. */
  describe?(): ModuleDescription;
  /**
   * Whether users can begin a login. The sessions and tokens of those who logged in before stay valid. Default: they can. Only the server
   * itself answers it.
   */
  isOpen?(): boolean;
  /** Ends the background work of the module. */
  close?(): Promise<void>;
}

export interface AuthenticationContext {
  /** The client that requests access; `undefined` if the resource owner opens the own account page. */
  readonly client: Client | undefined;
  readonly resourceServer: ResourceServer | undefined;
  /** The network address of the browser. */
  readonly source: string;
  /**
   * The browser runs on the machine of the server, as far as its request shows: it asked for a loopback host, and no proxy is known of.
   * A program can claim this, and a proxy that hides itself does.
   */
  readonly isAtThisMachine: boolean;
  /** By which {@link LoginAttempts} knows the device of the browser: to be passed to its methods. Not authenticated. */
  readonly device: string | undefined;
  /** Browser and system as the browser reports them, such as `Firefox, Linux`; `''` if they are not known. */
  readonly deviceName?: string;
  /** The language that the user has chosen for pages, or else the header `Accept-Language`: it can be anything. */
  readonly language?: string | undefined;
  /** The client requests a new login: a session at an identity provider is not enough (`prompt=login`, `max_age`). */
  readonly isFresh: boolean;
  /** Seconds since a login that the client accepts (`max_age`); 0 with `prompt=login`. Absent: any login. */
  readonly maxAge?: number | undefined;
  /**
   * The user must be able to choose an account: a session at an identity provider must not decide alone
   * (`prompt=select_account`, or the client accepts one user only).
   */
  readonly selectsAccount: boolean;
  /** The name with which the user probably logs in, as the client believes (`login_hint`). */
  readonly loginHint: string | undefined;
  /**
   * The authentication context classes that the client requires or prefers, best first (`claims`, `acr_values`). The server
   * itself ends a login that has none of the required ones.
   */
  readonly acrValues: readonly string[];
  /** The languages that the client requests for pages, best first (`ui_locales`); the server uses them for its own. */
  readonly uiLocales: readonly string[];
  /** The kind of window in which the client shows the pages (`display`). */
  readonly display: 'page' | 'popup' | 'touch' | 'wap' | undefined;
  /** Id of the request in the log. */
  readonly requestId: string;
  /**
   * Who is logged in in this browser, if that is not enough for the client: the login is too old, or too weak (a step-up). Default:
   * nobody.
   */
  readonly loggedIn?: LoggedInUser | undefined;
  /** The `state` of the previous step; `undefined` in `begin`. */
  readonly state: unknown;
  /**
   * An administrator tries the login: no session begins. The answer has `received`, and a user whom the rules of the module refuse is
   * `refused` with the reason, instead of an error page. Default: `false`.
   */
  readonly isTest?: boolean;
}

/** What an identity provider said of a user: values by name. It is shown to who tries a login, and never stored. */
export type ReceivedValues = Readonly<Record<string, readonly string[]>>;

/** The user of the login session that is there. It can be a user of another authenticator. */
export interface LoggedInUser {
  readonly identityProvider: string;
  readonly principal: Principal;
  /** Epoch milliseconds. */
  readonly authenticatedAt: number;
  readonly amr?: readonly string[] | undefined;
  readonly acr?: string | undefined;
}

export type AuthenticationStep =
  | Authenticated
  | LoginFormStep
  | RedirectStep
  | PostStep
  | AuthenticationRefused;

export interface Authenticated {
  readonly type: 'authenticated';
  /** Token info returns exactly these fields. */
  readonly principal: Principal;
  /**
   * An identifier of the user at the identity provider that never changes, even if the name changes: 1 to 1,024 characters. It
   * must never be given to another user. The subject (`sub`) is made from it, or from the name if it is absent. A module
   * returns it for all users or for none: a user who gets one later becomes another user.
   */
  readonly stableId?: string;
  /**
   * Time of the login, in epoch milliseconds, if the user logged in earlier, in a session at the identity provider. `max_age`
   * is measured from it. Default: now.
   */
  readonly authenticatedAt?: number;
  /** How the user logged in: authentication method reference values (RFC 8176), such as `pwd`. Default: not known. */
  readonly amr?: readonly string[];
  /** How strong the login is: an authentication context class reference, such as a URI of SAML. Default: not known. */
  readonly acr?: string;
  /**
   * How strong the login is for this server: `mfa` or `phr` only where the module itself has verified several factors. What an identity
   * provider says is counted by the setting `factors.providers`. Default: `sfa`, a single factor.
   */
  readonly level?: LoginLevel;
  /** Of a local account: its password is too short to open it alone, so the login asks for another one. Default: it is long enough. */
  readonly mustReplacePassword?: true;
  /**
   * Claims of the user for which the identity provider vouches (OpenID Connect Core §5.1): an e-mail address with
   * `email_verified`, a picture, an `address` as an object. They come before attributes of the principal; clients get those
   * that their scopes allow. Default: none.
   */
  readonly claims?: ProvidedClaims;
  /**
   * The identity provider that authenticated the user, such as an entity ID. Default: the name of the module. `isConfigured`
   * must know it, and it must not be reserved (`isReservedIdentityProvider`). The same name at another identity provider is
   * another user.
   */
  readonly identityProvider?: string;
  /**
   * Whether the login is still valid, called when the login session is stored. A change of the account during the login has
   * ended all other sessions, but not this one, which was not stored yet. `false` ends the session. Default: valid.
   */
  stillHolds?(): Promise<boolean>;
  /** What `LoginAttempts.remember` returned. The browser keeps it when the login session is stored. */
  readonly device?: string;
  /** Links the login session to the session at the identity provider, for `logout` and `LogoutAnswer`. */
  readonly link?: { readonly key: string; readonly data: string };
  /** Of a test login. */
  readonly received?: ReceivedValues;
}

/** Shows the login page. */
export interface LoginFormStep extends FormStep {
  /** Default: `username` and `password`. */
  readonly fields?: readonly LoginField[];
  /** Ways beside the form, a button for each: `resume` gets the value of the button as `choice`, and no fields. Default: none. */
  readonly choices?: readonly LoginChoice[];
  /** Another way beside the form. Default: none. */
  readonly passkey?: PasskeyRequest;
}

export interface LoginChoice {
  readonly value: string;
  readonly text: Message;
}

export interface LoginField {
  /** Name of the parameter; not `auth_state`. */
  readonly name: string;
  /** Key of the locale files, or the text itself. */
  readonly label: string;
  readonly type: 'text' | 'password' | 'email' | 'tel';
  /** `autocomplete` of HTML, e.g. `username`, `current-password`, `one-time-code`. */
  readonly autocomplete: string;
  /** The initial value of the field; never a password. */
  readonly value?: string;
}

/** The login failed and cannot be repeated: the client receives an error. */
export interface AuthenticationRefused {
  readonly type: 'refused';
  /** Default: `access_denied`. */
  readonly error?: RefusedLogin;
  /** For the developer of the client: ASCII without `"` and `\`, and without data about the user. */
  readonly description: string;
  /** Of a test login. */
  readonly received?: ReceivedValues;
}

/** What the identity provider says of a login that it refuses (OpenID Connect Core §3.1.2.6). */
export type RefusedLogin =
  | 'access_denied'
  | 'login_required'
  | 'interaction_required'
  | 'unmet_authentication_requirements';

/** The default export of a package or file that the setting `authenticator` or `authenticators` names. */
export type AuthenticationModuleFactory = (
  options: AuthenticationModuleOptions,
) => AuthenticationModule | Promise<AuthenticationModule>;

export interface AuthenticationModuleOptions extends ModuleOptions {
  /**
   * Makes another authentication module, for a module that adds to its steps or decides on them. A module that returns what another one has,
   * with its `name`, has the users of that one: also the local accounts.
   *
   * @param module as in the configuration
   * @param settings its options
   */
  authenticator(module: string, settings?: ModuleOptions['settings']): Promise<AuthenticationModule>;
}

export interface ModuleOptions {
  /** The options of the module, as they are in the configuration. The module checks them. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Writes a line to the log of the server. It must not contain a secret, token, code or password. */
  log(level: 'info' | 'warn' | 'error', message: string, details?: Readonly<Record<string, unknown>>): void;
  readonly services: ModuleServices;
  readonly errors: ModuleErrors;
}

/**
 * Error classes for a module to throw. They are parameters, because a module can be in a place where it cannot import
 * this package.
 */
export interface ModuleErrors {
  /** Ends the login or the request with an error page: see `OAuthErrorDetails.text`. */
  readonly OAuthError: typeof OAuthError;
  /** Thrown by a factory: all problems of its options. */
  readonly ModuleOptionsError: typeof ModuleOptionsError;
}
