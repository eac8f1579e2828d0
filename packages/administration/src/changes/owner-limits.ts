import { type Clock, OAuthError, type TransactionStores } from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';

/** How many records one record owner can have and change; 0 = no limit. */
interface OwnerLimit {
  /** Resource servers and clients together. */
  readonly records: number;
  readonly changesPerMinute: number;
}

/** The limits of record owners. Administrators who are people, and tools, have none. */
export interface OwnerLimits {
  readonly person: OwnerLimit;
  /** Of a client that acts for itself. */
  readonly client: OwnerLimit;
}

export interface OwnerLimitDependencies {
  /** Absent: no caller has a limit, as in a tool. */
  readonly ownerLimits?: OwnerLimits;
  readonly clock: Clock;
}

const minute = 60_000;
const none: OwnerLimit = { records: 0, changesPerMinute: 0 };

/** Counts a change in its transaction: a change that fails is not counted. @throws OAuthError `too_many_changes` */
export async function countChange(
  caller: Caller,
  deps: OwnerLimitDependencies,
  { ownerChanges }: Pick<TransactionStores, 'ownerChanges'>,
): Promise<void> {
  const { changesPerMinute } = limitOf(caller, deps);
  if (changesPerMinute === 0) return;
  const now = deps.clock.now();
  const { changes, since } = await ownerChanges.count(caller.identity, now, minute);
  if (changes <= changesPerMinute) return;
  throw new OAuthError('too_many_changes', { retryAfter: Math.ceil((since + minute - now) / 1000) });
}

/**
 * Must be called in the transaction that creates the record, so that concurrent requests cannot exceed the limit.
 *
 * @throws OAuthError `too_many_records`
 */
export async function checkRecordLimit(
  caller: Caller,
  deps: OwnerLimitDependencies,
  { resourceServers }: Pick<TransactionStores, 'resourceServers'>,
): Promise<void> {
  const { records } = limitOf(caller, deps);
  if (records === 0 || (await resourceServers.countRecords(caller.identity, records)) < records) return;
  throw new OAuthError('too_many_records', {
    description: `You have ${records} resource servers and clients or more, as many as one owner may have. Delete some, or ask an administrator.`,
  });
}

function limitOf(caller: Caller, { ownerLimits }: OwnerLimitDependencies): OwnerLimit {
  if (ownerLimits === undefined || (caller.isAdministrator && caller.right === undefined)) return none;
  return caller.login === undefined ? ownerLimits.client : ownerLimits.person;
}
