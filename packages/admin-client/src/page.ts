import { AdminError } from './admin-error.ts';

/** A page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** The cursor of the next page, for {@link PageQuery.cursor}; `undefined` on the last page. */
  readonly next: string | undefined;
  /** Length of the whole list; only on the first page of resource servers, clients or accounts, and only without filters. */
  readonly total?: number | undefined;
}

export interface PageQuery {
  /** The greatest number of records: 1 to 1000, default 100. */
  readonly limit?: number | undefined;
  /** {@link Page.next} of the previous page, with the same filters. */
  readonly cursor?: string | undefined;
}

/** The cursor of `Link: <…?cursor=…>; rel="next"` (RFC 8288). The address in it is not used. */
export function nextCursor(link: string | null): string | undefined {
  for (const [, target = '', parameters = ''] of (link ?? '').matchAll(/<([^>]*)>([^,]*)/g)) {
    if (!/;\s*rel="?next"?\s*(?:;|$)/i.test(parameters)) continue;
    const [, query = ''] = target.split('?', 2);
    return new URLSearchParams(query).get('cursor') ?? undefined;
  }
  return undefined;
}

/** The records that were read of a list. */
export interface ReadList<Item> {
  readonly items: readonly Item[];
  /** Whether these are all records of the list. */
  readonly isComplete: boolean;
  /** {@link Page.total}, or the number of records of a list that was read to its end. */
  readonly total: number | undefined;
}

/** The greatest number of records of one page. */
export const longestPage = 1000;
// A filter without an index gives short pages, but many million records need fewer pages than this.
const mostPages = 10_000;

/**
 * Reads a list to its end, or until there are `most` records.
 *
 * @param list one of the client's `list` methods with its filters
 * @throws AdminError also for a list that repeats a cursor or has no end
 */
export async function readAll<Item>(
  list: (page: PageQuery) => Promise<Page<Item>>,
  most = Number.POSITIVE_INFINITY,
): Promise<ReadList<Item>> {
  const items: Item[] = [];
  let cursor: string | undefined;
  let returned: number | undefined;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const page = await list({ limit: Math.min(longestPage, most - items.length), cursor });
    items.push(...page.items);
    returned ??= page.total;
    if (page.next === undefined) return { items, isComplete: true, total: items.length };
    if (items.length >= most) return { items, isComplete: false, total: returned };
    if (page.next === cursor) break;
    cursor = page.next;
  }
  throw new AdminError('The list repeats a page; a proxy in front of the server could be the cause.', {
    status: 200,
    code: 'unexpected_answer',
  });
}
