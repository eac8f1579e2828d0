import { type CompiledQuery, PostgresQueryCompiler, type QueryId, type RootOperationNode } from 'kysely';
import { uncommented } from '../../../hot/shard-marks.ts';

/** Reads the parts of statements that are only for a database with shards. */
export class ShardedQueryCompiler extends PostgresQueryCompiler {
  override compileQuery<Row>(node: RootOperationNode, queryId: QueryId): CompiledQuery<Row> {
    const query = super.compileQuery(node, queryId);
    return { ...query, sql: uncommented(query.sql) };
  }
}
