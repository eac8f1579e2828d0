import type {
  AttemptCount,
  Identity,
  LoginAttemptStore,
  OneTimeStore,
  SessionLink,
  SessionLinkStore,
  StepRecord,
  StepRecordStore,
} from '@watchword/protocol';

export function memoryLoginAttempts(): LoginAttemptStore {
  const counts = new Map<string, AttemptCount>();
  return {
    async change(keys, decide) {
      const decision = decide(keys.map((key) => counts.get(key)));
      keys.forEach((key, index) => {
        const count = decision.counts[index];
        if (count === undefined) counts.delete(key);
        else counts.set(key, count);
      });
      return decision.answer;
    },
  };
}

export function memoryOneTime(): OneTimeStore {
  const rows = new Map<string, { readonly value: string; readonly expires: number; isTaken: boolean }>();
  const found = (key: string, now: number) => {
    const row = rows.get(key);
    return row === undefined || row.isTaken || row.expires <= now ? undefined : row;
  };
  return {
    async put(key, value, expires) {
      if (rows.has(key)) return false;
      rows.set(key, { value, expires, isTaken: false });
      return true;
    },
    async take(key, now) {
      const row = found(key, now);
      if (row !== undefined) row.isTaken = true;
      return row?.value;
    },
    find: async (key, now) => found(key, now)?.value,
  };
}

export function memorySessionLinks(): SessionLinkStore {
  const links = new Map<string, SessionLink>();
  return {
    async insert(link) {
      links.set(link.sessionId, link);
    },
    find: async (sessionId) => links.get(sessionId),
    findByKey: async (key) => [...links.values()].filter((link) => link.key === key),
    async delete(sessionId) {
      links.delete(sessionId);
    },
  };
}

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
