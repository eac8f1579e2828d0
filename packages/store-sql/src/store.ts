import type {
  AccessTokenStore,
  AccountStore,
  AuditEventStore,
  AuthorizationCodeStore,
  ClientStore,
  ConsentAnswerStore,
  ConsentStore,
  DigestKeyStore,
  GrantStore,
  IdentityProviderStore,
  LoginAttemptStore,
  LoginSessionStore,
  OneTimeStore,
  RefreshTokenStore,
  Registry,
  ResourceServerStore,
  SealingKeyStore,
  SessionLinkStore,
  StatisticsStore,
  Transact,
} from '@watchword/protocol';
import type { RegistryStatistics } from './memory-registry.ts';
import type { ReapOptions, ReapReport } from './reaper.ts';

/** Everything that a process needs of the database. */
export interface Store {
  readonly accessTokens: AccessTokenStore;
  readonly accounts: AccountStore;
  readonly auditEvents: AuditEventStore;
  readonly authorizationCodes: AuthorizationCodeStore;
  readonly clients: ClientStore;
  readonly consentAnswers: ConsentAnswerStore;
  readonly consents: ConsentStore;
  readonly digestKey: DigestKeyStore;
  readonly grants: GrantStore;
  readonly identityProviderUse: IdentityProviderStore;
  readonly loginAttempts: LoginAttemptStore;
  readonly loginSessions: LoginSessionStore;
  readonly oneTime: OneTimeStore;
  readonly refreshTokens: RefreshTokenStore;
  readonly resourceServers: ResourceServerStore;
  readonly sealingKeys: SealingKeyStore;
  readonly statistics: StatisticsStore;
  readonly transact: Transact;
  readonly sessionLinks: SessionLinkStore;
  reap(options: ReapOptions): Promise<ReapReport>;
  /** Finishes the writes under way and lets go of the database. */
  close(): Promise<void>;
}

/** What a server needs beyond that. */
export interface ServerStore extends Store {
  readonly registry: Registry;
  /** Migrations that were applied on opening. */
  readonly migrated: readonly string[];
  registryStatistics(): RegistryStatistics;
  /** Takes over changes of other processes until the store is closed. */
  watchRegistry(onError: (error: unknown) => void): void;
  /** Takes over what this process has just changed. */
  refreshRegistry(): Promise<void>;
  /** Resolves when the database answers; rejects with the reason when it does not. */
  check(): Promise<void>;
}

/** How the schema of a database stands to this release, and what was done about it. */
export interface MigrationReport {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
  /** Applied by this call. */
  readonly migrated: readonly string[];
}
