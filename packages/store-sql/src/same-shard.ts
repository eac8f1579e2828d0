import { type RawBuilder, sql } from 'kysely';
import { shardComment } from './hot/shard-marks.ts';

/**
 * Always true: a grant and all rows below it are on one shard. A database with shards reads the condition, and so joins them shard by
 * shard.
 */
export function onSameShard(one: string, other: string): RawBuilder<boolean> {
  return sql.raw(`true ${shardComment(`and ${one}.shard = ${other}.shard`)}`);
}

/**
 * The end of a subquery whose rows are joined with rows of other shards. A database with shards reads it first and sends its rows to all
 * shards.
 */
export const readFirst = sql.raw(shardComment('offset 0'));
