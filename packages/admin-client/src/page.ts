/** A part of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Names the next part, for {@link PageQuery.cursor}; `undefined` when this is the last one. */
  readonly next: string | undefined;
  /** How long the whole list is; returned with the first page of resource servers or clients that are not searched. */
  readonly total?: number | undefined;
}

export interface PageQuery {
  /** At most so many records: 1 to 1000, default 100. */
  readonly limit?: number | undefined;
  /** {@link Page.next} of the part before, with the same filters. */
  readonly cursor?: string | undefined;
}

/** The cursor of `Link: <…?cursor=…>; rel="next"` (RFC 8288). Only the cursor is taken, never another address. */
export function nextCursor(link: string | null): string | undefined {
  for (const [, target = '', parameters = ''] of (link ?? '').matchAll(/<([^>]*)>([^,]*)/g)) {
    if (!/;\s*rel="?next"?\s*(?:;|$)/i.test(parameters)) continue;
    const [, query = ''] = target.split('?', 2);
    return new URLSearchParams(query).get('cursor') ?? undefined;
  }
  return undefined;
}

/** A list as far as it was read. */
export interface ReadList<Item> {
  readonly items: readonly Item[];
  /** Whether it ends there. */
  readonly isComplete: boolean;
  /** {@link Page.total}, or how many there are when it was read whole. */
  readonly total: number | undefined;
}

/**
 * Reads a list to its end, or until there are `most` records.
 *
 * @param list one of the client's `list` methods with its filters
 */
export async function readAll<Item>(
  list: (page: PageQuery) => Promise<Page<Item>>,
  most = Number.POSITIVE_INFINITY,
): Promise<ReadList<Item>> {
  const items: Item[] = [];
  let cursor: string | undefined;
  let returned: number | undefined;
  do {
    const page = await list({ limit: Math.min(1000, most - items.length), cursor });
    items.push(...page.items);
    returned ??= page.total;
    cursor = page.next;
  } while (cursor !== undefined && items.length < most);
  const isComplete = cursor === undefined;
  return { items, isComplete, total: isComplete ? items.length : returned };
}
