import type { OutgoingMail, OutgoingMailStore } from '@watchword/protocol';

/** @param mails holds the mails, by id */
export function memoryOutgoingMail(mails: Map<string, OutgoingMail>): OutgoingMailStore {
  const listeners: (() => void)[] = [];
  return {
    async add(mail) {
      mails.set(mail.id, mail);
      for (const listener of listeners) listener();
    },
    listDue: async (now, limit) =>
      [...mails.values()]
        .filter(({ nextAttempt }) => nextAttempt <= now)
        .toSorted((a, b) => a.nextAttempt - b.nextAttempt)
        .slice(0, limit),
    async claim({ id, nextAttempt }, until) {
      const found = mails.get(id);
      if (found?.nextAttempt !== nextAttempt) return false;
      mails.set(id, { ...found, nextAttempt: until });
      return true;
    },
    async postpone({ id }, next) {
      const found = mails.get(id);
      if (found !== undefined) mails.set(id, { ...found, ...next });
    },
    async remove({ id }) {
      mails.delete(id);
    },
    async waiting() {
      const dates = [...mails.values()].map(({ creationDate }) => creationDate);
      return { count: dates.length, oldest: dates.length === 0 ? undefined : Math.min(...dates) };
    },
    onDue(listener) {
      listeners.push(listener);
    },
  };
}
