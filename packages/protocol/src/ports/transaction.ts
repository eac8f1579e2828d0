import type { AccountStore } from './account-store.ts';
import type { AuditEventStore } from './audit-event-store.ts';
import type { ClientStore } from './client-store.ts';
import type { GrantEndStore } from './grant-list-store.ts';
import type { IssuedTokenStore } from './issued-token-store.ts';
import type { OwnerChangeStore } from './owner-change-store.ts';
import type { ResourceServerStore } from './resource-server-store.ts';

/** The stores of records as one transaction sees them. */
export interface TransactionStores {
  readonly resourceServers: ResourceServerStore;
  readonly clients: ClientStore;
  readonly issuedTokens: IssuedTokenStore;
  readonly accounts: AccountStore;
  readonly auditEvents: AuditEventStore;
  readonly ownerChanges: OwnerChangeStore;
  readonly grants: GrantEndStore;
}

/**
 * Runs `work` in one transaction: durable when the promise resolves, nothing of it stored when it rejects. Of many
 * transactions at once each sees all that the one before did. `work` uses the given stores alone and waits for
 * nothing else, since others wait for it; it may be run again.
 */
export type Transact = <Value>(work: (stores: TransactionStores) => Promise<Value>) => Promise<Value>;
