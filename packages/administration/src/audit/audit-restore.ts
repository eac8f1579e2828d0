import type { RecordState } from '@watchword/protocol';
import { type Caller, systemCaller } from '../callers/caller.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';

/** Records in the audit log of a restored database that it was restored. The event belongs to the server itself. */
export function auditRestore(
  caller: Caller,
  deps: Pick<AdministrationDependencies, 'transact' | 'clock' | 'random' | 'audited'>,
  backup: string,
  after: RecordState,
): Promise<void> {
  const of = { recordType: 'database', recordId: backup, recordName: backup } as const;
  return changeRecords(caller, deps, async () => ({
    value: undefined,
    changes: [{ action: 'restore', ...of, owner: systemCaller.identity, after }],
  }));
}
