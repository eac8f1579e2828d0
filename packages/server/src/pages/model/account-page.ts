import type { UserClaimSet } from '@watchword/protocol';
import type { DescribedScope, FormPage, NamedResourceServer, ShownOwner } from './form-page.ts';
import type { ShownLinks } from './link-page.ts';
import type { ShownFactors } from './own-factor-page.ts';

/** What the user can see to: profile, security, applications, sessions. Each section is a part of the template with its own name. */
export interface AccountPage extends FormPage {
  readonly page: 'account';
  readonly owner: ShownOwner;
  /** What applications can learn about the user: claims of OpenID Connect. */
  readonly claims: UserClaimSet;
  /** Those that a resource server registered. */
  readonly applications: readonly ShownApplication[];
  /** Those that nobody registered, by who is responsible for them. */
  readonly tools: readonly ShownTools[];
  /** Where the user is asked whether to remove the access of all tools. */
  readonly toolsUrl: string;
  readonly sessions: readonly ShownSession[];
  /** To which forms post `auth_state` with `session`, or with `everywhere`. */
  readonly sessionsUrl: string;
  readonly logoutUrl: string;
  /** The page on which a user of a local account sets a new password. */
  readonly passwordUrl?: string | undefined;
  /** Whether that user has one yet. Default: `true`. */
  readonly hasPassword?: boolean;
  /** The page on which that user changes the e-mail address; absent where no mail is sent. */
  readonly addressUrl?: string | undefined;
  /** Where the user downloads what is stored. */
  readonly dataUrl: string;
  /** The page on which the user deletes it; absent where the operator does not allow it. */
  readonly deletionUrl?: string | undefined;
  /** Whether it is a local account. */
  readonly isLocal: boolean;
  /** Other ways to log in to a local account; absent for other users. */
  readonly links?: ShownLinks | undefined;
  readonly factors: ShownFactors;
  /** The application whose access the user has just removed. */
  readonly withdrawn?: WithdrawnApplication | undefined;
}

/** Asks before the access of an application is removed. Posts `auth_state` and `client`. */
export interface WithdrawPage extends FormPage {
  readonly page: 'withdraw';
  readonly application: ShownApplication;
  readonly accountUrl: string;
}

/** Asks before the access of several tools is removed. Posts `auth_state` and `tools`. */
export interface WithdrawToolsPage extends FormPage {
  readonly page: 'withdraw-tools';
  /** The value that the form posts as `tools`. */
  readonly selection: string;
  /** The vendor of all of them, see {@link ShownTools}; absent if all tools of the user lose access. */
  readonly vendor?: string | undefined;
  readonly applications: readonly ShownApplication[];
  readonly accountUrl: string;
}

/** Asks before an account is deleted, or what is stored of a person from elsewhere. Posts `auth_state`, and `password` of a local account. */
export interface DeletionPage extends FormPage {
  readonly page: 'deletion';
  readonly owner: ShownOwner;
  readonly isLocal: boolean;
  readonly asksPassword: boolean;
  /** What stands in the way, in place of the form: this is the last administrator, APIs belong to the user, or the login is not new. */
  readonly obstacle?: 'administrator' | 'records' | 'login' | undefined;
  readonly accountUrl: string;
  readonly logoutUrl: string;
}

/** Reports that it is deleted. */
export interface DeletedPage {
  readonly page: 'deleted';
  readonly isLocal: boolean;
  /** The address to log in. */
  readonly accountUrl: string;
}

export interface WithdrawnApplication {
  readonly name: string;
  /** Origin of the application, where the user can give access again; absent if no administrator vouches for one. */
  readonly home: string | undefined;
}

export interface ShownSession {
  /** The value that the form posts as `session`. */
  readonly id: string;
  /** `''` if it is not known. */
  readonly device: string;
  /** Network address; `''` if it is not known. */
  readonly source: string;
  /** Where that address is, by language, the smallest first; empty without a database of places. */
  readonly places: readonly PlaceNames[];
  /** Epoch milliseconds. */
  readonly creationDate: number;
  /** Epoch milliseconds. */
  readonly lastUsed: number;
  readonly isCurrent: boolean;
}

/** Names of a place, by language. */
export type PlaceNames = Readonly<Record<string, string>>;

/** The tools of one vendor. */
export interface ShownTools {
  /** The host that is responsible for them; `''` for tools that registered themselves. */
  readonly vendor: string;
  readonly applications: readonly ShownApplication[];
  /** Where the user is asked whether to remove the access of all of them. */
  readonly withdrawUrl: string;
}

export interface ShownApplication {
  /** The value that the form posts as `client`. */
  readonly id: string;
  readonly name: string;
  /** URL of a picture, or `''`. */
  readonly picture: string;
  /** Where the user is asked whether to remove the access. */
  readonly withdrawUrl: string;
  /** Those that it uses; none if it only logs the user in. */
  readonly resourceServers: readonly NamedResourceServer[];
  /** None when only a consent is remembered. */
  readonly scopes: readonly DescribedScope[];
  /** Remembered consent: for these the client does not have to ask. */
  readonly consentedScopes: readonly DescribedScope[];
  /** Epoch milliseconds. */
  readonly since: number;
  /** Epoch milliseconds; absent when only a consent is remembered. */
  readonly lastUsed?: number | undefined;
  /** The resource servers for which it was last used. */
  readonly lastUsedFor?: readonly NamedResourceServer[];
}
