import type { AuditEvent } from '../model/audit-event.ts';
import type { ClientStore } from '../ports/client-store.ts';
import type { Random } from '../ports/random.ts';
import type { ResourceServerStore } from '../ports/resource-server-store.ts';
import type { Transact, TransactionStores } from '../ports/transaction.ts';
import type { ScopeSyntax } from '../rules/scope.ts';
import { type AuditedChange, auditEvents } from './audit.ts';
import type { Caller } from './caller.ts';
import { countChange, type OwnerLimitDependencies } from './owner-limits.ts';

/** What the administration of records asks of the world. */
export interface AdministrationDependencies extends OwnerLimitDependencies {
  readonly resourceServers: ResourceServerStore;
  readonly clients: ClientStore;
  readonly transact: Transact;
  readonly random: Random;
  /** How requests write scopes; absent: as RFC 6749 has it. */
  readonly scopeSyntax?: ScopeSyntax;
  /** Told of each change once it is durable. */
  readonly audited?: (event: AuditEvent) => void;
}

/** What a change resolves with, and what the audit trail says of it. */
export interface Changed<Value> {
  readonly value: Value;
  readonly changes: readonly AuditedChange[];
}

/**
 * Runs a change in one transaction with its trace in the audit trail.
 *
 * @throws OAuthError `too_many_changes`
 */
export async function changeRecords<Value>(
  caller: Caller,
  world: Pick<AdministrationDependencies, 'transact' | 'clock' | 'random' | 'audited' | 'ownerLimits'>,
  work: (stores: TransactionStores) => Promise<Changed<Value>>,
): Promise<Value> {
  const { value, events } = await world.transact(async (stores) => {
    await countChange(caller, world, stores);
    const { value, changes } = await work(stores);
    const events = auditEvents(caller, changes, world);
    if (events.length > 0) await stores.auditEvents.append(events);
    return { value, events };
  });
  for (const event of events) world.audited?.(event);
  return value;
}
