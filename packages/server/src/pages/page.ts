import type { ContentSources, ErrorText, Message, ProtocolErrorName } from '@watchword/protocol';
import type { ReferencePage } from './reference-page.ts';

/** What a page says; docs/guides/pages.md tells what the templates are given. Everything here is plain text. */
export type Page =
  | AuthenticatorsPage
  | LoginPage
  | ChoicePage
  | ForwardPage
  | RepeatPage
  | ConsentPage
  | AnsweredPage
  | ErrorPage
  | AccountPage
  | LogoutPage
  | LoggedOutPage
  | StartPage
  | ReferencePage;

/** A form that goes back to the server: `authState` travels as the hidden field `auth_state`. */
export interface FormPage {
  /** Where the form posts to: a path of this server. */
  readonly action: string;
  readonly authState: string;
  /** What to say above the form: what went wrong, unless it is neutral. */
  readonly message?: Message | undefined;
  /** The message tells of no problem, and neither does the title. */
  readonly isNeutral?: boolean;
}

/** What a page of a login is about. */
export interface AskingPage {
  /** Who asks for access; absent when the owner wants to see their own account. */
  readonly client?: ShownClient | undefined;
  readonly resourceServer?: { readonly name: string } | undefined;
}

/** Asks how the resource owner wants to log in. Each authenticator is a link. */
export interface AuthenticatorsPage extends AskingPage {
  readonly page: 'authenticators';
  readonly authenticators: readonly ShownAuthenticator[];
}

export interface ShownAuthenticator {
  /** Key of the locale files, or the text itself. */
  readonly label: string;
  /** Where it leads: an address of this server. */
  readonly url: string;
  /** It is the one of the last login in this browser. */
  readonly isLast: boolean;
  /** It is for development only. */
  readonly isInsecure: boolean;
}

/** A page of a login that goes on with one of several authenticators leads back to the choice. */
interface ChosenPage extends FormPage, AskingPage {
  /** Where a form posts `auth_state` to choose another authenticator; absent when there is no other. */
  readonly chooserUrl?: string | undefined;
}

/** Asks who the resource owner is. Posts `auth_state` and the fields. */
export interface LoginPage extends ChosenPage {
  readonly page: 'login';
  /** Default: `username` and `password`. */
  readonly fields?: readonly ShownField[] | undefined;
  /** Why this login proves nothing, a key or a text; shown as a danger. */
  readonly insecureBecause?: string | undefined;
}

export interface ShownField {
  readonly name: string;
  /** Key of the locale files, or the text itself. */
  readonly label: string;
  readonly type: 'text' | 'password' | 'email' | 'tel';
  readonly autocomplete: string;
  readonly value?: string | undefined;
}

/** Asks where to log in. Its form gets `auth_state` and `q` from `action`; each choice is a link. */
export interface ChoicePage extends ChosenPage {
  readonly page: 'choice';
  /** What was searched for. */
  readonly query: string;
  readonly choices: readonly ShownChoice[];
  /** How many match, shown or not. */
  readonly matches: number;
  /** What was chosen the last time. */
  readonly last?: ShownChoice | undefined;
}

export interface ShownChoice {
  readonly name: string;
  /** URL of a picture, or `''`. */
  readonly picture: string;
  /** Where it leads: an address of this server. */
  readonly url: string;
}

/**
 * Sends the browser on to `action`, at the press of a button or by its script: by a form that posts `fields`, or where
 * there are none by a link.
 */
export interface ForwardPage {
  readonly page: 'forward';
  /** Absolute URL of another server. */
  readonly action: string;
  readonly fields?: Readonly<Record<string, string>> | undefined;
}

/**
 * Posts `fields` to `action` once more, at the press of a button or by its script: a form of another site brought them,
 * and so no cookies.
 */
export interface RepeatPage {
  readonly page: 'repeat';
  /** A path of this server. */
  readonly action: string;
  readonly fields: readonly { readonly name: string; readonly value: string }[];
}

/** Asks what a client may do. Posts `auth_state`, `granted_scopes` (each ticked one), `decision` (`allow`, `deny`). */
export interface ConsentPage extends FormPage {
  readonly page: 'consent';
  readonly client: ShownClient & {
    /** Host, or scheme of an application's own, that the browser is sent back to. */
    readonly redirectHost: string;
  };
  readonly resourceServer: { readonly name: string; readonly description: string };
  readonly owner: ShownOwner;
  readonly scopes: readonly ShownScope[];
  /** Why nobody is really asked, a key or a text; shown as a danger. */
  readonly insecureBecause?: string | undefined;
  /** Where the form posts to instead when it is somebody else who sits there: they log in for the same request. */
  readonly switchUrl?: string | undefined;
  /** Where what is allowed here can be withdrawn. */
  readonly accountUrl?: string | undefined;
}

/** Says that a consent page was answered before, and begins again with its request. Posts `auth_state`. */
export interface AnsweredPage {
  readonly page: 'answered';
  readonly action: string;
  readonly authState: string;
  readonly client: ShownClient;
}

export interface ShownScope {
  readonly name: string;
  readonly ticked: boolean;
  /** The owner has not agreed to it before. */
  readonly isNew: boolean;
}

/** Tells the user what to do, and the operator under which id the log has the cause. */
export interface ErrorPage {
  readonly page: 'error';
  readonly kind: ProtocolErrorName;
  readonly status: number;
  /** The code on the wire. */
  readonly error: string;
  /** For developers. */
  readonly description: string;
  readonly requestId: string;
  /** What to do; default: what the locale has for this kind of error. */
  readonly advice?: Message | undefined;
  /** Where it could be told to the client that sent the person here, and the host, or scheme of an application, that this is. */
  readonly goOn?: { readonly url: string; readonly host: string } | undefined;
  /** Title and advice by one key, where it has them. */
  readonly text?: ErrorText | undefined;
  /** Seconds after which another attempt makes sense. */
  readonly retryAfter?: number | undefined;
}

/** What the owner has allowed so far. Each application has a form that posts `auth_state` and `client`. */
export interface AccountPage extends FormPage {
  readonly page: 'account';
  readonly owner: ShownOwner;
  readonly applications: readonly ShownApplication[];
  readonly logoutUrl: string;
}

export interface ShownApplication {
  /** What the form posts as `client`. */
  readonly id: string;
  readonly name: string;
  /** URL of a picture, or `''`. */
  readonly picture: string;
  readonly resourceServer: string;
  readonly scopes: readonly string[];
  /** Epoch milliseconds. */
  readonly since: number;
  /** Epoch milliseconds; absent when it is not known. */
  readonly lastUsed?: number | undefined;
}

/** Asks whether to log out. Posts `auth_state`. */
export interface LogoutPage extends FormPage {
  readonly page: 'logout';
  readonly owner: ShownOwner;
}

export interface LoggedOutPage {
  readonly page: 'logged-out';
  /** Where one logs in again. */
  readonly accountUrl?: string | undefined;
}

/** What stands at the base URL: where to go on. */
export interface StartPage {
  readonly page: 'start';
  readonly accountUrl: string;
  readonly administrationUrl: string;
  readonly metadataUrl: string;
  readonly documentationUrl: string;
}

export interface ShownClient {
  readonly name: string;
  readonly description: string;
  /** URL of a picture, or `''`. */
  readonly picture: string;
}

export interface ShownOwner {
  readonly name: string;
  readonly displayName: string;
}

/** What a page needs to know of the request that it answers. */
export interface PageRequest {
  readonly acceptLanguage: string | undefined;
  readonly requestId: string;
  /** Origins (`https://app.example`) or schemes (`com.example.app:`) that a form's redirect may lead to. */
  readonly formTargets: readonly string[];
  /** Path of the base URL, `''` when it has none. */
  readonly prefix: string;
}

/** What a module shows in place of a page. */
export interface ModuleDocument {
  readonly contentType: string;
  readonly allow: ContentSources;
  readonly formTargets: readonly string[];
}

export interface RenderedPage {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}
