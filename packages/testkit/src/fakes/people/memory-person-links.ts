import type { PersonLink, PersonLinkStore } from '@watchword/protocol';

/** @param links holds the links, and the number of codes that were typed in place of each */
export function memoryPersonLinks(
  links: Map<string, { readonly link: PersonLink; readonly codes: number }>,
): PersonLinkStore {
  const valid = (id: string, now: number) => {
    const found = links.get(id);
    return found !== undefined && found.link.expires > now ? found : undefined;
  };
  return {
    async create(link) {
      links.set(link.id, { link, codes: 0 });
    },
    find: async (id, now) => valid(id, now)?.link,
    list: async ({ purpose, accountId, after = '', limit }) =>
      [...links.values()]
        .map(({ link }) => link)
        .filter((link) => link.id > after && (purpose ?? link.purpose) === link.purpose)
        .filter((link) => accountId === undefined || link.accountId === accountId)
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, limit),
    redeem: async (id, now) => valid(id, now) !== undefined && links.delete(id),
    async countCode(id, now, limit) {
      const found = valid(id, now);
      if (found === undefined || found.codes >= limit) return false;
      links.set(id, { ...found, codes: found.codes + 1 });
      return true;
    },
    async endOfAccount(accountId, purpose) {
      const meant = [...links.values()].filter(
        ({ link }) => link.accountId === accountId && (purpose ?? link.purpose) === link.purpose,
      );
      for (const { link } of meant) links.delete(link.id);
      return meant.length;
    },
  };
}
