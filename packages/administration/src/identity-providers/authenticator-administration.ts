import type {
  AuthenticatorReader,
  AuthenticatorSettings,
  IdentityProviderStore,
  MalformedField,
  ResourceServerStore,
  StoredAuthenticator,
  UsedRows,
} from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import type { AdministrationDependencies } from '../changes/change-records.ts';
import type { EditCondition } from '../changes/edit.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import type {
  AuthenticatorModules,
  AuthenticatorState,
  ConfiguredAuthenticator,
} from './authenticator-modules.ts';
import type { TestLogins, TriedLogin } from './test-logins.ts';

/** An authenticator of the database, or of the configuration. */
export type ListedAuthenticator = (
  | { readonly stored: StoredAuthenticator; readonly configured?: undefined }
  | { readonly configured: ConfiguredAuthenticator; readonly stored?: undefined }
) & {
  /** How it is on this node; absent where no server answers. */
  readonly state: AuthenticatorState | undefined;
};

export interface StoredListing {
  readonly stored: StoredAuthenticator;
  readonly state: AuthenticatorState | undefined;
}

/** What a request sets. */
export interface SubmittedAuthenticator {
  readonly name: string;
  readonly kind: string;
  readonly label: string;
  readonly enabled: boolean;
  readonly settings: AuthenticatorSettings;
}

export type AuthenticatorChange = Partial<Pick<SubmittedAuthenticator, 'label' | 'enabled' | 'settings'>>;

/**
 * The authenticators that administrators set up, beside those of the configuration, which are only listed.
 *
 * Each method throws OAuthError `access_denied` for a caller who is no administrator, and `not_found`.
 */
export interface AuthenticatorAdministration {
  /** Those of the configuration, then the others in the order of creation, without their settings. */
  list(caller: Caller, page: PageRequest<string>): Promise<Page<ListedAuthenticator, string>>;
  find(caller: Caller, name: string): Promise<ListedAuthenticator>;
  /** @throws OAuthError `not_found` also for one of the configuration */
  findStored(caller: Caller, name: string): Promise<StoredListing>;
  /**
   * @throws OAuthError `invalid_request` with every violation; `conflict` for a name that another one has or had, and for too many
   */
  create(
    caller: Caller,
    given: SubmittedAuthenticator,
    malformed: readonly MalformedField[],
  ): Promise<StoredListing>;
  /** @throws OAuthError `precondition_failed`, `invalid_request` */
  update(
    caller: Caller,
    name: string,
    change: AuthenticatorChange,
    malformed: readonly MalformedField[],
    condition?: EditCondition,
  ): Promise<StoredListing>;
  /**
   * Ends everything that its users have. Its name stays used.
   *
   * @throws OAuthError `precondition_failed`
   */
  delete(caller: Caller, name: string, condition?: EditCondition): Promise<UsedRows>;
  /** Begins a test login: whoever opens the address within ten minutes makes it. */
  tryLogin(caller: Caller, name: string): Promise<StartedTest>;
  /** What came of a test login, once. `undefined`: nothing yet, or read before. */
  testResult(caller: Caller, testId: string): Promise<TriedLogin | undefined>;
}

export interface StartedTest {
  readonly testId: string;
  readonly url: string;
}

export interface AuthenticatorDependencies
  extends Pick<AdministrationDependencies, 'transact' | 'clock' | 'random' | 'audited' | 'ownerLimits'> {
  readonly storedAuthenticators: AuthenticatorReader;
  readonly identityProviderUse: IdentityProviderStore;
  readonly resourceServers: Pick<ResourceServerStore, 'list'>;
  readonly testLogins: TestLogins;
  readonly authenticatorModules: AuthenticatorModules;
}
