import type { Page, PageRequest } from '@watchword/protocol';
import type { ListedRows, Row } from '../output.ts';

const longestPage = 1000;

/** Reads a list to its end, or until there are `most` items. */
export async function readPages<Item, Position>(
  list: (page: PageRequest<Position>) => Promise<Page<Item, Position>>,
  most: number,
): Promise<{ readonly items: readonly Item[]; readonly hasMore: boolean }> {
  const found: Item[] = [];
  let after: Position | undefined;
  do {
    const { items, next } = await list({ limit: Math.min(longestPage, most - found.length), after });
    found.push(...items);
    after = next;
  } while (after !== undefined && found.length < most);
  return { items: found, hasMore: after !== undefined };
}

/** The first `limit` rows of a list whose whole length is not counted. */
export async function listedPages<Item, Position>(
  list: (page: PageRequest<Position>) => Promise<Page<Item, Position>>,
  limit: number,
  rowOf: (item: Item) => Row,
): Promise<ListedRows> {
  const { items, hasMore } = await readPages(list, limit);
  return { rows: items.map(rowOf), hasMore, total: hasMore ? undefined : items.length };
}

/** Reads the records of a store that come first after `after`: one more than `limit`, if there are so many. */
export async function readFirst<Item, Position>(
  list: (query: { readonly after: Position; readonly limit: number }) => Promise<readonly Item[]>,
  { after, limit }: { readonly after: Position; readonly limit: number },
  positionOf: (item: Item) => Position,
): Promise<Item[]> {
  const found: Item[] = [];
  for (let position = after; found.length <= limit; ) {
    const size = Math.min(longestPage, limit + 1 - found.length);
    const items = await list({ after: position, limit: size });
    found.push(...items);
    const last = items.at(-1);
    if (last === undefined || items.length < size) break;
    position = positionOf(last);
  }
  return found;
}
