/*
 * Marks of SQL text at the places that name the shard of a row. A database with shards has it as the column `shard` of its
 * distributed tables. No other database has this column.
 *
 * - `{columns a, b}`: the columns of an insert
 * - `{values :a, :b}`: their values
 * - `{conflict a, b}`: the key by which an insert finds a row that is there
 * - `{returning a, b}`: columns that later statements of a command read
 * - `{shard t}`: a condition on the row of the table `t`
 */

/** The text for a database without shards. */
export function withoutShards(sql: string): string {
  return withShards(sql, '', () => '');
}

/**
 * The text for a database with shards. The marks `values` and `returning` stay, because they have a further meaning.
 *
 * @param shard SQL of the number of the shard
 * @param write how a part stands that no other database may read; default: as it is
 */
export function withShards(sql: string, shard: string, write = (part: string) => part): string {
  return sql
    .replaceAll(/\{columns ([^{}]*)\}/g, (_, list: string) => `(${write('shard, ')}${list})`)
    .replaceAll(/\{values /g, `{values ${write(`${shard}, `)}`)
    .replaceAll(/\{conflict ([^{}]*)\}/g, (_, list: string) => `on conflict (${list}${write(', shard')})`)
    .replaceAll(/\{returning ([^{}]*)\}/g, (_, list: string) => `{returning ${list}${write(', shard')}}`)
    .replaceAll(/\{shard (\w+)\}/g, (_, table: string) => write(`and ${table}.shard = ${shard}`));
}

/**
 * The text with a comment at each mark, for a text that all databases get: where there are shards, the comments are read as a part of it
 * ({@link uncommented}).
 *
 * @param shard SQL of the number of the shard
 */
export function withShardComments(sql: string, shard: string | number): string {
  return withShards(sql, String(shard), shardComment);
}

export function shardComment(part: string): string {
  return `/*shard ${part}*/`;
}

/** The text for a database with shards. */
export function uncommented(sql: string): string {
  return sql.replaceAll(/\/\*shard (.*?)\*\//gs, '$1');
}
