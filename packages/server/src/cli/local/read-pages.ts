import type { Page, PageRequest } from '@watchword/protocol';

const longestPage = 1000;

/** Reads a list to its end, or until there are `most` items. */
export async function readPages<Item, Position>(
  list: (page: PageRequest<Position>) => Promise<Page<Item, Position>>,
  most: number,
): Promise<Item[]> {
  const found: Item[] = [];
  let after: Position | undefined;
  do {
    const { items, next } = await list({ limit: Math.min(longestPage, most - found.length), after });
    found.push(...items);
    after = next;
  } while (after !== undefined && found.length < most);
  return found;
}
