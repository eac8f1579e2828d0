import {
  type RecordState,
  type SigningKey,
  type SigningKeyChanges,
  storeSigningKeys,
} from '@watchword/protocol';
import { type Caller, systemCaller } from '../callers/caller.ts';
import { type AuditedChange, difference } from '../changes/audit.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';

export type SigningKeyDependencies = Pick<
  AdministrationDependencies,
  'transact' | 'clock' | 'random' | 'audited'
>;

/**
 * Changes signing keys in one transaction. The audit log has what administrators change, and the log what the server does by itself.
 *
 * @param plan the changes for the keys as they are now; it can be called again
 * @returns the changes; `undefined` if there is a key with the `kid` of the one that was to be inserted
 */
export function changeSigningKeys(
  caller: Caller,
  deps: SigningKeyDependencies,
  plan: (keys: readonly SigningKey[]) => SigningKeyChanges,
): Promise<SigningKeyChanges | undefined> {
  return changeRecords(caller, deps, async ({ signingKeys }) => {
    const keys = await signingKeys.list();
    const changes = plan(keys);
    if (!(await storeSigningKeys(signingKeys, changes))) return { value: undefined, changes: [] };
    return { value: changes, changes: caller === systemCaller ? [] : auditedChanges(keys, changes) };
  });
}

function auditedChanges(
  keys: readonly SigningKey[],
  { inserted, updated = [], removed = [] }: SigningKeyChanges,
): AuditedChange[] {
  const before = new Map(keys.map((key) => [key.kid, key]));
  return [
    ...(inserted === undefined
      ? []
      : [{ action: 'create', ...ofSigningKey(inserted), after: stateOf(inserted) } as const]),
    ...updated.map((key) => {
      const old = before.get(key.kid) ?? key;
      return { action: 'update', ...ofSigningKey(key), ...difference(stateOf(old), stateOf(key)) } as const;
    }),
    ...removed.map((key) => ({ action: 'delete', ...ofSigningKey(key), before: stateOf(key) }) as const),
  ];
}

function ofSigningKey({ kid }: SigningKey) {
  return { recordType: 'signingKey', recordId: kid, recordName: kid, owner: systemCaller.identity } as const;
}

function stateOf({ algorithm, publishedAt, signsFrom, retiredAt, compromisedAt }: SigningKey): RecordState {
  return { algorithm, publishedAt, signsFrom, retiredAt, compromisedAt };
}
