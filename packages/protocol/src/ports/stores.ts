import type { AccessTokenStore } from './access-token-store.ts';
import type { AccountStore } from './account-store.ts';
import type { AuditEventStore } from './audit-event-store.ts';
import type { AuthorizationCodeStore } from './authorization-code-store.ts';
import type { ClientStore } from './client-store.ts';
import type { ConsentAnswerStore } from './consent-answer-store.ts';
import type { ConsentStore } from './consent-store.ts';
import type { GrantListStore } from './grant-list-store.ts';
import type { GrantStore } from './grant-store.ts';
import type { IdentityProviderStore } from './identity-provider-store.ts';
import type { LoginAttemptStore } from './login-attempt-store.ts';
import type { LoginSessionStore } from './login-session-store.ts';
import type { OneTimeStore } from './one-time-store.ts';
import type { ReadSnapshot } from './read-snapshot.ts';
import type { RefreshTokenStore } from './refresh-token-store.ts';
import type { RequestErrorStore } from './request-error-store.ts';
import type { ResourceServerStore } from './resource-server-store.ts';
import type { SealingKeyStore } from './sealing-key-store.ts';
import type { SessionLinkStore } from './session-link-store.ts';
import type { StatisticsStore } from './statistics-store.ts';
import type { SubjectKeyStore } from './subject-key-store.ts';
import type { Transact } from './transaction.ts';

/** The stores of one database. The conformance suite of the testkit tests all of them. */
export interface Stores {
  readonly accessTokens: AccessTokenStore;
  readonly accounts: AccountStore;
  readonly auditEvents: AuditEventStore;
  readonly authorizationCodes: AuthorizationCodeStore;
  readonly clients: ClientStore;
  readonly consentAnswers: ConsentAnswerStore;
  readonly consents: ConsentStore;
  readonly grantList: GrantListStore;
  readonly grants: GrantStore;
  readonly identityProviderUse: IdentityProviderStore;
  readonly loginAttempts: LoginAttemptStore;
  readonly loginSessions: LoginSessionStore;
  readonly oneTime: OneTimeStore;
  readonly readSnapshot: ReadSnapshot;
  readonly refreshTokens: RefreshTokenStore;
  readonly requestErrors: RequestErrorStore;
  readonly resourceServers: ResourceServerStore;
  readonly sealingKeys: SealingKeyStore;
  readonly sessionLinks: SessionLinkStore;
  readonly statistics: StatisticsStore;
  readonly subjectKey: SubjectKeyStore;
  readonly transact: Transact;
}
