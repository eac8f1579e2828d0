import type { GrantEndStore } from './grants/grant-list-store.ts';
import type { IssuedTokenStore } from './grants/issued-token-store.ts';
import type { AuditEventStore } from './history/audit-event-store.ts';
import type { StatisticsStore } from './history/statistics-store.ts';
import type { KeyRenewalStore, SigningKeyStore } from './key-stores.ts';
import type { AccountLinkStore } from './people/account-link-store.ts';
import type { AccountStore } from './people/account-store.ts';
import type { AuthenticatorStore } from './people/authenticator-store.ts';
import type { BrandingStore } from './people/branding-store.ts';
import type { CredentialStore } from './people/credential-store.ts';
import type { OutgoingMailStore } from './people/outgoing-mail-store.ts';
import type { OwnerChangeStore } from './people/owner-change-store.ts';
import type { PersonLinkStore } from './people/person-link-store.ts';
import type { ClientRegistrationStore, InitialTokenStore } from './records/client-registration-store.ts';
import type { ClientStore } from './records/client-store.ts';
import type { ConfigurationStore } from './records/configuration-store.ts';
import type { HostRuleStore } from './records/host-rule-store.ts';
import type { ResourceServerStore } from './records/resource-server-store.ts';
import type { RightStore } from './records/right-store.ts';

/** The stores of records within one transaction. */
export interface TransactionStores {
  readonly resourceServers: ResourceServerStore;
  readonly clients: ClientStore;
  readonly configurations: ConfigurationStore;
  readonly issuedTokens: IssuedTokenStore;
  readonly accounts: AccountStore;
  readonly accountLinks: AccountLinkStore;
  readonly credentials: CredentialStore;
  readonly personLinks: PersonLinkStore;
  readonly outgoingMail: Pick<OutgoingMailStore, 'add'>;
  readonly auditEvents: AuditEventStore;
  readonly ownerChanges: OwnerChangeStore;
  readonly grants: GrantEndStore;
  readonly storedAuthenticators: AuthenticatorStore;
  readonly branding: BrandingStore;
  readonly hostRules: HostRuleStore;
  readonly rights: RightStore;
  readonly clientRegistrations: ClientRegistrationStore;
  readonly initialTokens: InitialTokenStore;
  readonly signingKeys: SigningKeyStore;
  readonly keyRenewal: KeyRenewalStore;
}

/**
 * Runs `work` in one transaction. When the promise resolves, the transaction is durable; when it rejects, nothing is stored.
 * Transactions run one after the other, and each sees all changes of those before. `work` uses only the given stores and waits
 * for nothing else, because other transactions wait for it. It can be run again.
 */
export type Transact = <Value>(work: (stores: TransactionStores) => Promise<Value>) => Promise<Value>;

/** Stores that show one state of the data. */
export interface SnapshotStores {
  readonly clients: Pick<ClientStore, 'list'>;
  readonly statistics: Pick<
    StatisticsStore,
    'accessTo' | 'countOf' | 'issued' | 'issuedTo' | 'busiest' | 'secretUses'
  >;
}

/**
 * Runs reads that all see the same state of the data, which is not older than the call. They do not wait for writes, and
 * writes do not wait for them.
 */
export type ReadSnapshot = <Value>(read: (stores: SnapshotStores) => Promise<Value>) => Promise<Value>;
