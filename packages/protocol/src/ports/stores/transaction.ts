import type { AccountStore } from './account-store.ts';
import type { AuditEventStore } from './audit-event-store.ts';
import type { ClientStore } from './client-store.ts';
import type { KeyRenewalStore } from './digest-key-store.ts';
import type { GrantEndStore } from './grant-list-store.ts';
import type { IssuedTokenStore } from './issued-token-store.ts';
import type { OwnerChangeStore } from './owner-change-store.ts';
import type { ResourceServerStore } from './resource-server-store.ts';
import type { SigningKeyStore } from './signing-key-store.ts';

/** The stores of records within one transaction. */
export interface TransactionStores {
  readonly resourceServers: ResourceServerStore;
  readonly clients: ClientStore;
  readonly issuedTokens: IssuedTokenStore;
  readonly accounts: AccountStore;
  readonly auditEvents: AuditEventStore;
  readonly ownerChanges: OwnerChangeStore;
  readonly grants: GrantEndStore;
  readonly signingKeys: SigningKeyStore;
  readonly keyRenewal: KeyRenewalStore;
}

/**
 * Runs `work` in one transaction. When the promise resolves, the transaction is durable; when it rejects, nothing is stored.
 * Transactions run one after the other, and each sees all changes of those before. `work` uses only the given stores and waits
 * for nothing else, because other transactions wait for it. It can be run again.
 */
export type Transact = <Value>(work: (stores: TransactionStores) => Promise<Value>) => Promise<Value>;
