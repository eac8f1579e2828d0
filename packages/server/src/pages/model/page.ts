import type { ExplainedError } from '@watchword/administration';
import type { Destination, ErrorText, Message, PasskeyRequest, ProtocolErrorName } from '@watchword/protocol';
import type { StatesPage } from '../states/states-page.ts';
import type {
  AccountPage,
  DeletedPage,
  DeletionPage,
  WithdrawPage,
  WithdrawToolsPage,
} from './account-page.ts';
import type { DescribedScope, FormPage, NamedResourceServer, ShownClient, ShownOwner } from './form-page.ts';
import type { LinkPage } from './link-page.ts';
import type { LoggedOutPage, LogoutPage } from './logout-page.ts';
import type {
  NewPasskeyPage,
  OwnFactorPage,
  RecoveryCodesPage,
  ShownTotpKey,
  TotpPage,
} from './own-factor-page.ts';
import type { InvitationPage, PasswordPage, PasswordSetPage } from './password-page.ts';
import type { ReferencePage } from './reference-page.ts';
import type { FirstAdministrator, StartPage, StepPage } from './start-page.ts';

/** The content of a page, as plain text. Each template begins with a comment that describes its data. */
export type Page =
  | AuthenticatorsPage
  | LoginPage
  | LoginStepPage
  | ChoicePage
  | SelectAccountPage
  | ForwardPage
  | RepeatPage
  | ConsentPage
  | AnsweredPage
  | ErrorPage
  | AccountPage
  | WithdrawPage
  | WithdrawToolsPage
  | LinkPage
  | TotpPage
  | RecoveryCodesPage
  | NewPasskeyPage
  | OwnFactorPage
  | DeletionPage
  | DeletedPage
  | InvitationPage
  | PasswordPage
  | PasswordSetPage
  | LogoutPage
  | LoggedOutPage
  | StartPage
  | StepPage
  | StatesPage
  | ReferencePage;

/** The reason for a login. */
export interface AskingPage {
  /** The client that requests access; absent if the user opens the own account page. */
  readonly client?: ShownClient | undefined;
  readonly unconfirmed?: ShownUnconfirmed | undefined;
  readonly resourceServers?: readonly NamedResourceServer[] | undefined;
  /** The address to which a form posts `auth_state` to give up; absent without a client. */
  readonly cancelUrl?: string | undefined;
}

/** A client that no administrator confirmed: its name can be anything, so the page shows what it cannot choose freely. */
export interface ShownUnconfirmed {
  /** The host, or private-use scheme of an application, to which the browser returns; absent if it stays at this server. */
  readonly host?: string | undefined;
  /** The name of the user or client that registered it. */
  readonly owner: string;
  readonly identityProvider: string;
  /** Of a client that nobody registered. */
  readonly document?: ShownDocument | undefined;
  /** Anybody can register a client: no owner stands for it. */
  readonly isSelfRegistered?: boolean;
  /** Of a client for which no owner stands: the response goes to this machine, where any program can listen. */
  readonly isLocal?: boolean;
}

/** The document that describes a client: its host is what the client cannot make up. */
export interface ShownDocument {
  readonly host: string;
  readonly url: string;
}

/** Asks the user to choose an authenticator. Each authenticator is a link. */
export interface AuthenticatorsPage extends AskingPage {
  readonly page: 'authenticators';
  readonly authState: string;
  /** Why the page comes again. */
  readonly message?: Message | undefined;
  readonly authenticators: readonly ShownAuthenticator[];
}

export interface ShownAuthenticator {
  /** Key of the locale files, or the text itself. */
  readonly label: string;
  /** Where it leads: an address of this server. */
  readonly url: string;
  /** The last login in this browser used this authenticator. */
  readonly isLast: boolean;
  /** The authenticator is for development only. */
  readonly isInsecure: boolean;
}

/** A login page of one authenticator. If there are several, it links back to the choice. */
interface ChosenPage extends FormPage, AskingPage {
  /** The address to which a form posts `auth_state` to choose another authenticator; absent if there is no other. */
  readonly chooserUrl?: string | undefined;
}

/** Asks the user to log in. Posts `auth_state` and the fields. */
export interface LoginPage extends ChosenPage {
  readonly page: 'login';
  /** Default: `username` and `password`. */
  readonly fields?: readonly ShownField[] | undefined;
  /** Buttons beside the form: each posts `auth_state` and `choice`, without the fields. */
  readonly choices?: readonly { readonly value: string; readonly text: Message }[] | undefined;
  readonly passkey?: PasskeyRequest | undefined;
  /** The user name with which the form without own fields begins. */
  readonly username?: string | undefined;
  /** The address to which a form posts `auth_state` of a person who has forgotten the password; absent where no mail is sent. */
  readonly forgottenUrl?: string | undefined;
  /** The address to which a form posts `auth_state` of a person who has no account; absent where nobody can sign up. */
  readonly signUpUrl?: string | undefined;
  /** The reason why this login is insecure, as a key or a text; shown as a danger. */
  readonly insecureBecause?: string | undefined;
  /** How the first administrator is made, for a login to the administration pages. */
  readonly firstAdministrator?: FirstAdministrator | undefined;
}

/**
 * A step of a login after the first factor. Posts `auth_state`, the fields, and `choice`, the value of a button. Without an owner it
 * belongs to no login; without choices it has no form.
 */
export interface LoginStepPage extends FormPage, AskingPage {
  readonly page: 'login-step';
  readonly owner?: ShownOwner | undefined;
  readonly title: Message;
  readonly text?: Message | undefined;
  readonly link?: { readonly url: string; readonly text: Message } | undefined;
  /** The address to which a form posts `auth_state` to log in instead; absent where the page belongs to no login. */
  readonly loginUrl?: string | undefined;
  readonly fields?: readonly ShownField[] | undefined;
  readonly passkey?: PasskeyRequest | undefined;
  readonly totp?: ShownTotpKey | undefined;
  /** Recovery codes, which are shown once. */
  readonly codes?: readonly string[] | undefined;
  readonly box?: { readonly name: string; readonly text: Message } | undefined;
  readonly choices: readonly { readonly value: string; readonly text: Message }[];
}

export interface ShownField {
  readonly name: string;
  /** Key of the locale files, or the text itself. */
  readonly label: string;
  readonly type: 'text' | 'password' | 'email' | 'tel';
  readonly autocomplete: string;
  readonly value?: string | undefined;
}

/** Asks where to log in. The form sends `auth_state` and `q` to `action` by GET. Each choice is a link. */
export interface ChoicePage extends ChosenPage {
  readonly page: 'choice';
  /** The search text. */
  readonly query: string;
  readonly choices: readonly ShownChoice[];
  /** The number of matches, also of those that are not shown. */
  readonly matches: number;
  /** The choice of the last login. */
  readonly last?: ShownChoice | undefined;
}

export interface ShownChoice {
  readonly name: string;
  /** URL of a picture, or `''`. */
  readonly picture: string;
  /** Where it leads: an address of this server. */
  readonly url: string;
}

/** Asks a user who is logged in with which account to continue. Posts `auth_state` and `account` (`current`, `other`). */
export interface SelectAccountPage extends FormPage, AskingPage {
  readonly page: 'select-account';
  readonly owner: ShownOwner;
}

/**
 * Sends the browser to `action`, when the user presses a button or by a script: with a form that posts `fields`, or without
 * fields with a link.
 */
export interface ForwardPage {
  readonly page: 'forward';
  /** Absolute URL of another server. */
  readonly action: string;
  readonly fields?: Readonly<Record<string, string>> | undefined;
}

/**
 * Posts `fields` to `action` again, when the user presses a button or by a script. A form of another site posted them first,
 * and so without cookies.
 */
export interface RepeatPage {
  readonly page: 'repeat';
  /** A path of this server. */
  readonly action: string;
  readonly fields: readonly { readonly name: string; readonly value: string }[];
}

/** Asks the user for consent. Posts `auth_state`, `granted_scopes` (each ticked scope) and `decision` (`allow`, `deny`). */
export interface ConsentPage extends FormPage {
  readonly page: 'consent';
  /** With the addresses of its privacy policy and its terms of service, if it has any. */
  readonly client: ShownClient & { readonly policyUrl?: string; readonly termsUrl?: string };
  /** Where the browser goes afterwards. */
  readonly destination: Pick<Destination, 'host' | 'consentText'>;
  readonly unconfirmed?: ShownUnconfirmed | undefined;
  /** Those that the client wants to use, one at least. */
  readonly resourceServers: readonly ShownResourceServer[];
  readonly owner: ShownOwner;
  /** The client logs the user in. This has no box, because it is allowed in any case. */
  readonly isLogin: boolean;
  /** The client wants nothing of the resource server. */
  readonly isLoginOnly: boolean;
  readonly scopes: readonly ShownScope[];
  /** The reason why this consent is insecure, as a key or a text; shown as a danger. */
  readonly insecureBecause?: string | undefined;
  /** The address to which the form posts if another user wants to log in for the same request. */
  readonly switchUrl?: string | undefined;
  /** The account page, on which the user can withdraw the consent. */
  readonly accountUrl?: string | undefined;
}

/** Reports that the consent page is already answered, and offers to start its request again. Posts `auth_state`. */
export interface AnsweredPage {
  readonly page: 'answered';
  readonly action: string;
  readonly authState: string;
  readonly client: ShownClient;
}

export interface ShownResourceServer extends NamedResourceServer {
  readonly description: string;
  /** The URIs by which the client names it. */
  readonly resources: readonly string[];
}

export interface ShownScope extends DescribedScope {
  readonly ticked: boolean;
  /** The user has not consented to this scope before. */
  readonly isNew: boolean;
}

/** Shows the user what to do, and the request id under which the operator finds the cause in the log. */
export interface ErrorPage {
  readonly page: 'error';
  readonly kind: ProtocolErrorName;
  readonly status: number;
  /** The error code on the wire. */
  readonly error: string;
  /** For developers. */
  readonly description: string;
  readonly requestId: string;
  /** What the user can do. Default: the text of the locale for this kind of error. */
  readonly advice?: Message | undefined;
  /** Takes the error to the client, if the user can continue there. */
  readonly goOn?: GoOn | undefined;
  /** The account page, where the request is lost and leads to no client. */
  readonly accountUrl?: string | undefined;
  /** Where the user can log out without the client. */
  readonly logout?: { readonly logoutUrl: string; readonly accountUrl: string } | undefined;
  /** The key of a specific title and advice, if they exist. */
  readonly text?: ErrorText | undefined;
  /** Seconds after which the user can try again. */
  readonly retryAfter?: number | undefined;
  /** Which rule refused the request, for an administrator. */
  readonly explained?: ExplainedError | undefined;
}

/** A link to the redirect URI of a client, or with fields a form that is posted there. */
export interface GoOn {
  readonly location: string;
  /** The host or private-use scheme of the redirect URI. */
  readonly host: string;
  readonly fields?: Readonly<Record<string, string>>;
}
