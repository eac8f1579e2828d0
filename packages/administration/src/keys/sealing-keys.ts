import { newSealingKey, type SealingKey, type SealingKeyStore } from '@watchword/protocol';
import { type Caller, requireAdministrator, systemCaller } from '../callers/caller.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';

/** What administrators do with the keys that seal forms. For every other caller: OAuthError `access_denied`. */
export interface SealingKeyAdministration {
  /** The newest first, without the keys themselves. */
  list(caller: Caller): Promise<readonly Pick<SealingKey, 'id' | 'creationDate'>[]>;
  /** Replaces them and the key of digests at once, because another party has them. */
  renew(caller: Caller): Promise<void>;
}

type RenewalDependencies = Pick<AdministrationDependencies, 'transact' | 'clock' | 'random' | 'audited'>;

export function sealingKeyAdministration(
  deps: RenewalDependencies & {
    readonly sealingKeys: Pick<SealingKeyStore, 'list'>;
    /** Reads the changes of all processes now, so that this one knows its own. It never rejects. */
    readonly refresh: () => Promise<unknown>;
  },
): SealingKeyAdministration {
  return {
    async list(caller) {
      requireKeyAccess(caller);
      return (await deps.sealingKeys.list()).map(({ id, creationDate }) => ({ id, creationDate }));
    },
    async renew(caller) {
      requireKeyAccess(caller);
      await renewKeys(caller, deps);
      await deps.refresh();
    },
  };
}

/** @throws OAuthError `access_denied` */
export function requireKeyAccess(caller: Caller): void {
  requireAdministrator(caller, 'see and change keys');
}

/**
 * Replaces the keys that seal forms and cursors, and the key of digests, at once and together with their audit event: nothing that another
 * party makes with the old keys is accepted any more.
 */
export function renewKeys(caller: Caller, deps: RenewalDependencies): Promise<void> {
  const { clock, random } = deps;
  return changeRecords(caller, deps, async ({ keyRenewal }) => {
    const digestKey = new Uint8Array(32);
    random.fill(digestKey);
    await keyRenewal.renew(newSealingKey(random, clock.now()), digestKey);
    const of = { recordType: 'database', recordId: 'keys', recordName: 'keys' } as const;
    return { value: undefined, changes: [{ action: 'rotateSecret', ...of, owner: systemCaller.identity }] };
  });
}
