import type { AccountLink, AccountLinkStore } from '@watchword/protocol';

/** @param links holds the links by their subjects */
export function memoryAccountLinks(links: Map<string, AccountLink>): AccountLinkStore {
  const ofAccount = (accountId: string) =>
    [...links.values()]
      .filter((link) => link.accountId === accountId)
      .toSorted((a, b) => (a.authenticator < b.authenticator ? -1 : 1));
  return {
    async create(link) {
      const isTaken = ofAccount(link.accountId).some(
        ({ authenticator }) => authenticator === link.authenticator,
      );
      if (isTaken || links.has(link.subject)) return false;
      links.set(link.subject, link);
      return true;
    },
    find: async (subject) => links.get(subject),
    listOfAccount: async (accountId) => ofAccount(accountId),
    async noteUse(subject, now) {
      const link = links.get(subject);
      if (link === undefined) return false;
      links.set(subject, { ...link, lastUsed: now });
      return true;
    },
    async delete(accountId, authenticator) {
      const link = ofAccount(accountId).find((each) => each.authenticator === authenticator);
      return link !== undefined && links.delete(link.subject);
    },
  };
}
