import { AdminError } from './admin-error.ts';

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

/** Records that one page can have. */
export const longestPage = 1000;
// A list by a filter that no index serves has short pages, but even among many million records not so many.
const mostPages = 10_000;

/**
 * Reads a list to its end, or until there are `most` records.
 *
 * @param list one of the client's `list` methods with its filters
 * @throws AdminError also for a list that begins again or has no end
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
  throw new AdminError(
    'The list begins again and again; there may be something between here and the server.',
    {
      status: 200,
      code: 'unexpected_answer',
    },
  );
}
