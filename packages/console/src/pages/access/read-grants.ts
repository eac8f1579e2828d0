import type { AdminClient, Grant, GrantSelection, Page, PageQuery } from '@watchword/admin-client';

/**
 * Reads a page of grants. A search finds parts of names among the newest grants; the people with exactly that name come
 * first, however old their grants are, because the server has an index of names.
 */
export function readGrants(admin: AdminClient, filter: GrantSelection, q: string) {
  return async (page: PageQuery, options: { readonly signal: AbortSignal }): Promise<Page<Grant>> => {
    const found = await admin.grants.list({ ...page, ...filter, q: q || undefined }, options);
    if (q === '' || page.cursor !== undefined) return found;
    const named = await admin.grants.list({ ...filter, resourceOwnerId: q }, options);
    const ids = new Set(named.items.map(({ id }) => id));
    return { ...found, items: [...named.items, ...found.items.filter(({ id }) => !ids.has(id))] };
  };
}
