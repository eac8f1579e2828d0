import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Schema } from '../schema/schema.ts';
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
// SQLite limits the number of parts of a compound statement. More segments overlap only if as many nodes have stored tokens; then all
// tokens of the client are sorted.
const maxMerged = 100;
// Most clients have few tokens, or none, in a segment. Reading so many ids takes less than dividing the segments.
const fewTokens = 500;

/** Reads at most `limit` tokens of a client. */
export async function readTokensOfClient<DB, Tables extends keyof DB, Row extends TokenId>(
  db: Kysely<Schema>,
  segments: TokenSegments,
  tokens: TokensOfClient,
  limit: number,
  query: TokenQuery<DB, Tables, Row>,
): Promise<Row[]> {
  const listed = await segments.list(db);
  if (listed === undefined) return readInOrder(query.where(areOf(tokens)), [], tokens, limit);
  if (listed.length <= segmentsOfPart) return readMerged(listed, tokens, limit, query);
  const ids = await someIds(db, listed, tokens);
  if (ids.length <= fewTokens) return readByIds(ids, tokens, limit, query);
  const rows: Row[] = [];
  for (const { segments: held, until } of partsOf(await extentsOf(db, listed, tokens), tokens)) {
    if (rows.length === limit) break;
    const unread = between(rows.at(-1)?.id, until, tokens);
    rows.push(...(await readMerged(held, unread, limit - rows.length, query)));
  }
  return rows;
}

/** The segments that have tokens of the client; `undefined` if statements need not name them. */
export async function segmentsOfClient(
  db: Kysely<Schema>,
  segments: TokenSegments,
  tokens: Omit<TokensOfClient, 'order'>,
): Promise<readonly number[] | undefined> {
  const listed = await segments.list(db);
  if (listed === undefined || listed.length <= 1) return listed;
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
    const held = extents.slice(0, end).filter(({ last }) => compared(first, last, tokens.order) <= 0);
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
  const values = sql.raw(listed.map((segment) => `(${segment})`).join());
  const all = sql<{
    segment: number;
  }>`(with listed (segment) as (values ${values}) select segment from listed)`;
  const idAt = (order: 'asc' | 'desc') => sql<Uint8Array | null>`(select token.id from access_token as token
    where token.segment = held.segment and ${areOf(tokens)} order by token.id ${sql.raw(order)} limit 1)`;
  const rows = await db
    .selectFrom(all.as('held'))
    .select(['segment', idAt(tokens.order).as('first')])
    .select(idAt(tokens.order === 'asc' ? 'desc' : 'asc').as('last'))
    .execute();
  return rows
    .filter((row): row is Extent => row.first !== null && row.last !== null)
    .toSorted((one, other) => compared(one.first, other.first, tokens.order));
}

/** Reads tokens by one search for each segment, whose results are merged. */
async function readMerged<DB, Tables extends keyof DB, Row>(
  segments: readonly number[],
  tokens: TokensOfClient,
  limit: number,
  query: TokenQuery<DB, Tables, Row>,
): Promise<Row[]> {
  const inSegments = (list: readonly number[]) =>
    query.where(sql<boolean>`token.segment in (${sql.raw(list.join())}) and ${areOf(tokens)}`);
  if (segments.length > maxMerged) return readInOrder(inSegments(segments), [], tokens, limit);
  const [first, ...others] = segments.map((segment) => inSegments([segment]));
  return first === undefined ? [] : readInOrder(first, others, tokens, limit);
}

async function readInOrder<DB, Tables extends keyof DB, Row>(
  first: TokenQuery<DB, Tables, Row>,
  others: readonly TokenQuery<DB, Tables, Row>[],
  { order }: TokensOfClient,
  limit: number,
): Promise<Row[]> {
  const all = others.reduce((union, other) => union.unionAll(other), first);
  // A compound is ordered by a column of its result.
  const id = others.length === 0 ? sql`token.id` : sql`id`;
  return (await all.orderBy(id, order).limit(limit).execute()) as Row[];
}

/** The ids of more tokens than {@link fewTokens}, or of all, in no order. */
async function someIds(
  db: Kysely<Schema>,
  segments: readonly number[],
  tokens: TokensOfClient,
): Promise<Uint8Array[]> {
  const rows = await db
    .selectFrom('access_token as token')
    .select('token.id')
    .where(sql<boolean>`token.segment in (${sql.raw(segments.join())}) and ${areOf(tokens)}`)
    .limit(fewTokens + 1)
    .execute();
  return rows.map(({ id }) => id);
}

/** Reads at most `limit` of these tokens, in their order. */
export async function readByIds<DB, Tables extends keyof DB, Row extends TokenId>(
  ids: readonly Uint8Array[],
  { order }: Pick<TokensOfClient, 'order'>,
  limit: number,
  query: TokenQuery<DB, Tables, Row>,
): Promise<Row[]> {
  const unread = ids.toSorted((one, other) => compared(one, other, order));
  const rows: Row[] = [];
  // Fewer rows than ids are found if tokens were removed meanwhile, or if the query leaves some out.
  while (rows.length < limit && unread.length > 0) {
    const next = unread.splice(0, limit - rows.length);
    const found = await query.where(sql<boolean>`token.id in (${sql.join(next)})`).execute();
    rows.push(...(found as Row[]).toSorted((one, other) => compared(one.id, other.id, order)));
  }
  return rows;
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

function compared(one: Uint8Array, other: Uint8Array, order: TokensOfClient['order']): number {
  return order === 'asc' ? Buffer.compare(one, other) : Buffer.compare(other, one);
}

/** A condition on tokens of one segment. */
function areOf({ clientRecordId, after, before }: TokensOfClient): RawBuilder<boolean> {
  const conditions = [sql`token.client_record_id = ${clientRecordId}`];
  if (after !== undefined) conditions.push(sql`token.id > ${after}`);
  if (before !== undefined) conditions.push(sql`token.id < ${before}`);
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}
