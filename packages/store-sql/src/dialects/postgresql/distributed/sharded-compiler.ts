import { PostgresQueryCompiler, type RawBuilder, type RawNode, sql } from 'kysely';
import { sqlOf } from '../../../hot/operation.ts';
import { boundSql, type PlacedNode, type Placing } from '../../../queries/placing.ts';
import { shardNumber } from './shard-number.ts';
import { onShard } from './sharded.ts';

/** Writes what statements say about the places of their rows as conditions on the column `shard`. */
export class ShardedQueryCompiler extends PostgresQueryCompiler {
  protected override visitRaw(node: RawNode): void {
    const { placing } = node as RawNode & Partial<PlacedNode>;
    const written = placing === undefined ? undefined : onShards(placing);
    if (written === undefined) super.visitRaw(node);
    else this.visitNode(written.toOperationNode());
  }
}

/** `undefined` if the rows are not distributed. */
function onShards(placing: Placing): RawBuilder<unknown> | undefined {
  switch (placing.kind) {
    case 'together': {
      const [one, other] = placing.tables;
      return sql.raw(`${one}.shard = ${other}.shard`);
    }
    case 'by key':
      return sql.raw(`${placing.table}.shard = ${shardNumber(placing.key)}`);
    case 'first':
      return sql.raw('offset 0');
    case 'operation': {
      const { operation, values, key } = placing;
      if (key?.length === 0) return undefined;
      const shard = key === undefined ? `${operation.table}.shard` : String(shardNumber(key));
      return boundSql(sqlOf(onShard(operation, shard)), values);
    }
  }
}
