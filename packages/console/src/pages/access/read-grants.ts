import type { AdminClient, Grant, GrantSelection, Page, PageQuery } from '@watchword/admin-client';

// A page of the server is empty when none of the 2,000 grants that it has read fits. After so many, the user decides.
const mostEmptyPages = 10;

/**
 * Reads a page of grants. A search finds parts of names among the newest grants; the people with exactly that name come
 * first, however old their grants are, because the server has an index of names.
 */
export function readGrants(admin: AdminClient, filter: GrantSelection, q: string) {
  return async (page: PageQuery, options: { readonly signal: AbortSignal }): Promise<Page<Grant>> => {
    const search = { ...page, ...filter, q: q || undefined };
    let found = await admin.grants.list(search, options);
    for (let pages = 1; found.items.length === 0 && found.next !== undefined; pages += 1) {
      if (pages === mostEmptyPages) break;
      found = await admin.grants.list({ ...search, cursor: found.next }, options);
    }
    if (q === '' || page.cursor !== undefined) return found;
    const named = await admin.grants.list({ ...filter, resourceOwnerId: q }, options);
    const ids = new Set(named.items.map(({ id }) => id));
    return { ...found, items: [...named.items, ...found.items.filter(({ id }) => !ids.has(id))] };
  };
}
