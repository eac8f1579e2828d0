import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Schema } from './schema.ts';
import type { TokenSegments } from './token-segments.ts';

/** The access tokens of a client, in the order of their ids. */
export interface TokensOfClient {
  readonly clientRecordId: number;
  /** `desc`: the newest first. */
  readonly order: 'asc' | 'desc';
  /** Only tokens with a greater id. */
  readonly after?: Uint8Array | undefined;
  /** Only tokens with a smaller id. */
  readonly before?: Uint8Array | undefined;
}

/** Reads the id and other columns of `access_token as token`. */
type TokenQuery<DB, Tables extends keyof DB, Row> = SelectQueryBuilder<DB, Tables, Row>;

interface TokenId {
  readonly id: Uint8Array;
}

/** The first and the last token of a client in a segment. */
interface Extent {
  readonly segment: number;
  readonly first: Uint8Array;
  readonly last: Uint8Array;
}

/** Segments that are read together, and the first token of those that follow. */
interface Part {
  readonly segments: readonly number[];
  readonly until: Uint8Array | undefined;
}

// SQLite prepares a search for each segment, which takes 20 us, and longer if they are many.
const segmentsOfPart = 8;

/** Reads at most `limit` tokens of a client. */
export async function readTokensOfClient<DB, Tables extends keyof DB, Row extends TokenId>(
  db: Kysely<Schema>,
  segments: TokenSegments,
  tokens: TokensOfClient,
  limit: number,
  query: TokenQuery<DB, Tables, Row>,
): Promise<Row[]> {
  const listed = await segments.list(db);
  if (listed.length <= segmentsOfPart) return readMerged(listed, tokens, limit, query);
  const few = await readUnordered(listed, tokens, limit + 1, query);
  if (few.length <= limit) return few.toSorted((one, other) => compared(one.id, other.id, tokens));
  const rows: Row[] = [];
  for (const { segments: held, until } of partsOf(await extentsOf(db, listed, tokens), tokens)) {
    if (rows.length === limit) break;
    const unread = between(rows.at(-1)?.id, until, tokens);
    rows.push(...(await readMerged(held, unread, limit - rows.length, query)));
  }
  return rows;
}

/** The segments that have tokens of the client. */
export async function segmentsOfClient(
  db: Kysely<Schema>,
  segments: TokenSegments,
  tokens: Omit<TokensOfClient, 'order'>,
): Promise<number[]> {
  const listed = await segments.list(db);
  if (listed.length <= 1) return listed;
  return (await extentsOf(db, listed, { ...tokens, order: 'asc' })).map(({ segment }) => segment);
}

/**
 * Divides segments into parts. Those of one part come before those of the next, but they overlap, because several nodes store tokens at the
 * same time. So a part is read until the first token of the next, which has each segment again that goes on.
 */
function partsOf(extents: readonly Extent[], tokens: TokensOfClient): Part[] {
  const parts: Part[] = [];
  for (let start = 0; start < extents.length; start += segmentsOfPart) {
    const end = start + segmentsOfPart;
    const { first } = extents[start] as Extent;
    const held = extents.slice(0, end).filter(({ last }) => compared(first, last, tokens) <= 0);
    parts.push({ segments: held.map(({ segment }) => segment), until: extents[end]?.first });
  }
  return parts;
}

/** The segments that have tokens of the client, in the order of their first ones. */
async function extentsOf(
  db: Kysely<Schema>,
  listed: readonly number[],
  tokens: TokensOfClient,
): Promise<Extent[]> {
  const idAt = (order: 'asc' | 'desc') => sql`(select token.id from access_token as token
    where token.segment = listed.segment and ${areOf(tokens)} order by token.id ${sql.raw(order)} limit 1)`;
  const { rows } = await sql<{ [Column in keyof Extent]: Extent[Column] | null }>`
    with listed (segment) as (values ${sql.join(listed.map((segment) => sql`(${sql.lit(segment)})`))})
    select segment, ${idAt(tokens.order)} as first, ${idAt(tokens.order === 'asc' ? 'desc' : 'asc')} as last
    from listed`.execute(db);
  return rows
    .filter((row): row is Extent => row.first !== null && row.last !== null)
    .toSorted((one, other) => compared(one.first, other.first, tokens));
}

/** Reads tokens by one search for each segment, whose results are merged. */
async function readMerged<DB, Tables extends keyof DB, Row>(
  segments: readonly number[],
  tokens: TokensOfClient,
  limit: number,
  query: TokenQuery<DB, Tables, Row>,
): Promise<Row[]> {
  const [first, ...others] = segments.map((segment) =>
    query.where(sql<boolean>`token.segment = ${sql.lit(segment)} and ${areOf(tokens)}`),
  );
  if (first === undefined) return [];
  const all = others.reduce((union, other) => union.unionAll(other), first);
  // A compound is ordered by a column of its result.
  const id = others.length === 0 ? sql`token.id` : sql`id`;
  return (await all.orderBy(id, tokens.order).limit(limit).execute()) as Row[];
}

/** A client has few tokens in most segments, or none: they are read without an order, which takes one statement. */
async function readUnordered<DB, Tables extends keyof DB, Row>(
  segments: readonly number[],
  tokens: TokensOfClient,
  limit: number,
  query: TokenQuery<DB, Tables, Row>,
): Promise<Row[]> {
  const list = sql.join(segments.map((segment) => sql.lit(segment)));
  const all = query.where(sql<boolean>`token.segment in (${list}) and ${areOf(tokens)}`);
  return (await all.limit(limit).execute()) as Row[];
}

/** The tokens after `start` and before `end`, in their order. */
function between(
  start: Uint8Array | undefined,
  end: Uint8Array | undefined,
  tokens: TokensOfClient,
): TokensOfClient {
  const { order, after, before } = tokens;
  return order === 'asc'
    ? { ...tokens, after: start ?? after, before: end ?? before }
    : { ...tokens, before: start ?? before, after: end ?? after };
}

function compared(one: Uint8Array, other: Uint8Array, { order }: TokensOfClient): number {
  return order === 'asc' ? Buffer.compare(one, other) : Buffer.compare(other, one);
}

/** A condition on tokens of one segment. */
function areOf({ clientRecordId, after, before }: TokensOfClient): RawBuilder<boolean> {
  const conditions = [sql`token.client_record_id = ${clientRecordId}`];
  if (after !== undefined) conditions.push(sql`token.id > ${after}`);
  if (before !== undefined) conditions.push(sql`token.id < ${before}`);
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}
