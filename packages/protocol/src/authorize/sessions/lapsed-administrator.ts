import { type Identity, identityOf, type ResourceOwner } from '../../model/resource-owner.ts';
import type { Random } from '../../ports/crypto/random.ts';
import type { RightReader } from '../../ports/stores/records/right-store.ts';
import type { Transact, TransactionStores } from '../../ports/stores/transaction.ts';
import type { Clock } from '../../ports/system/clock.ts';
import { endRights } from '../../rules/administrative-rights.ts';
import { type EventOrigin, loginEvent } from './login-event.ts';

export interface LapsedAdministratorDependencies {
  readonly rights: RightReader;
  readonly transact: Transact;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Ends the rights that the owner gave to clients as an administrator, and is one no longer. Of a user of another identity provider only the
 * next login shows it.
 */
export async function endRightsOfLapsed(
  owner: ResourceOwner,
  origin: EventOrigin,
  deps: LapsedAdministratorDependencies,
): Promise<void> {
  if (owner.principal.adminPrincipal) return;
  const giver = identityOf(owner);
  if (!(await deps.rights.isGiver(giver))) return;
  await deps.transact((stores) => endRightsGivenBy(giver, origin, stores, deps));
}

/** Ends what a user gave to clients, in the transaction that ends more of this user. */
export async function endRightsGivenBy(
  giver: Identity,
  origin: EventOrigin,
  stores: TransactionStores,
  deps: Pick<LapsedAdministratorDependencies, 'clock' | 'random'>,
): Promise<void> {
  const ends = await endRights({ giver }, stores);
  if (ends.length === 0) return;
  const events = ends.map((end) => ({ ...loginEvent(giver, origin, end, deps), owner: end.owner }));
  await stores.auditEvents.append(events);
}
