import type { Identity, StepRecord, StepRecordStore } from '@watchword/protocol';

export function memoryStepRecords(): {
  readonly stepRecords: StepRecordStore;
  /** Deletes the records of some owners. */
  forget(isMeant: (owner: Identity) => boolean): void;
} {
  const records = new Map<string, StepRecord>();
  const keyOf = (subject: string, step: string) => JSON.stringify([subject, step]);
  return {
    stepRecords: {
      find: async (subject, step) => records.get(keyOf(subject, step)),
      async save(record, replaces) {
        const key = keyOf(record.subject, record.step);
        if (records.get(key)?.version !== replaces) return false;
        records.set(key, record);
        return true;
      },
    },
    forget(isMeant) {
      for (const [key, { owner }] of records) if (isMeant(owner)) records.delete(key);
    },
  };
}
