import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema/schema.ts';

/**
 * Access tokens are divided into segments, so that the index by client grows in one place: new tokens of any number of clients go to the
 * pages of the present segment, which are in the cache (docs/adr/0095). A statement about the tokens of a client goes
 * from segment to segment.
 */
export interface TokenSegments {
  /** The columns of the index by client, in their order. */
  readonly indexKey: readonly string[];
  /** The segment of the access token that is stored next. @param issuedAt epoch milliseconds */
  next(issuedAt: number): number;
  /** Every segment that has tokens; `undefined` if statements find the tokens of a client without naming segments. */
  list(db: Kysely<Schema>): Promise<readonly number[] | undefined>;
}

const daySeconds = 86_400;
// The index pages of so many tokens, about 3 MB, stay in the cache of SQLite's connection that writes.
const tokensPerSegment = 65_536;

/**
 * Segments of at most `size` tokens of this process. The number of a segment is the second at which it begins. The first one of a process on
 * each day begins with the day: so commands, and processes that store few tokens, share one, and there are not more segments than
 * days with tokens and full segments. Nothing depends on the numbers but the number of segments.
 */
export function countedSegments(size = tokensPerSegment): TokenSegments {
  let segment = 0;
  let tokens = 0;
  return {
    indexKey: ['segment', 'client_record_id', 'id'],

    next(issuedAt) {
      const second = Math.floor(issuedAt / 1000);
      const day = second - (second % daySeconds);
      if (segment < day) [segment, tokens] = [day, 0];
      else if (tokens >= size) [segment, tokens] = [second, 0];
      tokens += 1;
      return segment;
    },

    /** Reads one entry of the index for each segment. */
    async list(db) {
      const held = sql<{ segment: number }>`(
        with recursive run (segment) as (
          select max(segment) from access_token
          union all
          select (select max(t.segment) from access_token as t where t.segment < run.segment)
          from run where run.segment is not null)
        select segment from run where segment is not null)`;
      const rows = await db.selectFrom(held.as('held')).select('segment').execute();
      return rows.map(({ segment: number }) => number);
    },
  };
}

/** For a database that distributes tokens over machines: each has a part of an index by client and id alone. */
export const noSegments: TokenSegments = {
  indexKey: ['client_record_id', 'id'],
  next: () => 0,
  list: async () => undefined,
};
