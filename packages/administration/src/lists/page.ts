import { fold } from '@watchword/protocol';

/** A part of a list. */
export interface Page<Item, Position> {
  readonly items: readonly Item[];
  /** Where the next page begins; `undefined` when this is the last one. */
  readonly next: Position | undefined;
}

export interface PageRequest<Position> {
  readonly limit: number;
  /** `next` of the page before. */
  readonly after?: Position | undefined;
}

/** How a list is read. */
interface Listing<Row, Position, Item> {
  /** At most `limit` rows that follow the position, in order. */
  fetch(after: Position | undefined, limit: number): Promise<readonly Row[]>;
  positionOf(row: Row): Position;
  /** What is listed of a row; `undefined` when it is not asked for. */
  pick(row: Row): Item | undefined | Promise<Item | undefined>;
  /** Whether what was picked so far has cost so much that the page ends here. */
  isSpent?(): boolean;
}

// A filter without an index reads more rows than it returns. After this many, read in batches that hardly delay other
// readers, a page that has an item ends: it can be short without being the last one. Batches grow up to their size, because
// often only the last record of a page is left to find.
const maxRead = 2000;
const batchSize = 500;
// Characters. A page of a thousand records of the largest allowed size would have more than 60 MB.
const maxText = 4 * 1024 * 1024;

/** Reads one page. Only the last one of a list can be empty: before its first item, a page ends where the rows do. */
export async function readPage<Row, Position, Item>(
  { limit, after }: PageRequest<Position>,
  { fetch, positionOf, pick, isSpent = () => false }: Listing<Row, Position, Item>,
): Promise<Page<Item, Position>> {
  const items: Item[] = [];
  let position = after;
  let text = 0;
  let size = Math.min(batchSize, limit + 1);
  for (let read = 0; read < maxRead || items.length === 0; size = Math.min(batchSize, 4 * size)) {
    const rows = await fetch(position, size);
    for (const row of rows) {
      const item = await pick(row);
      if (item !== undefined) {
        if (items.length === limit) return { items, next: position };
        items.push(item);
      }
      position = positionOf(row);
      text += textLength(row);
      if (items.length > 0 && (text > maxText || isSpent())) return { items, next: position };
    }
    if (rows.length < size) return { items, next: undefined };
    read += rows.length;
  }
  return { items, next: position };
}

/** Number of characters of a record, about the same as in its JSON. */
function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return 0;
  let length = 0;
  for (const [name, member] of Object.entries(value)) length += name.length + textLength(member);
  return length;
}

/** A search for a part of a text. Upper and lower case are the same. */
interface Search {
  /** The wanted text in the form that the stores have (`fold`); `undefined` if every record is wanted. */
  readonly mayContain: string | undefined;
  /** Whether one of the texts contains the wanted text. */
  matches(...texts: readonly string[]): boolean;
}

/** @param q as the caller typed it: people paste names with white space at an end */
export function searchFor(q: string | undefined): Search {
  const wanted = fold(q ?? '').trim();
  if (wanted === '') return { mayContain: undefined, matches: () => true };
  return { mayContain: wanted, matches: (...texts) => texts.some((text) => fold(text).includes(wanted)) };
}

const recordsAtOnce = 1000;

/** All records of a list, in the order of their ids. */
export async function* everyRecord<Record extends { readonly id: number }>(
  list: (page: { readonly after: number; readonly limit: number }) => Promise<readonly Record[]>,
): AsyncGenerator<Record, void> {
  for (let after = 0; ; ) {
    const page = await list({ after, limit: recordsAtOnce });
    yield* page;
    if (page.length < recordsAtOnce) return;
    after = page.at(-1)?.id ?? after;
  }
}
