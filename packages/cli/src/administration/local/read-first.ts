const longestPage = 1000;

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
