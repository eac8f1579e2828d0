import { newSealingKey } from '@watchword/protocol';
import { type Caller, systemCaller } from '../callers/caller.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';

/**
 * Replaces the keys that seal forms and cursors, and the key of digests, at once and together with their audit event: nothing that another
 * party makes with the old keys is accepted any more.
 */
export function renewKeys(
  caller: Caller,
  deps: Pick<AdministrationDependencies, 'transact' | 'clock' | 'random' | 'audited'>,
): Promise<void> {
  const { clock, random } = deps;
  return changeRecords(caller, deps, async ({ keyRenewal }) => {
    const digestKey = new Uint8Array(32);
    random.fill(digestKey);
    await keyRenewal.renew(newSealingKey(random, clock.now()), digestKey);
    const of = { recordType: 'database', recordId: 'keys', recordName: 'keys' } as const;
    return { value: undefined, changes: [{ action: 'rotateSecret', ...of, owner: systemCaller.identity }] };
  });
}
