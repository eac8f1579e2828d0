import { insertSql } from '../sql-text.ts';
import { follows } from '../statement.ts';
import { sessionClientColumns, sessionClientKey } from '../tables.ts';

export const sessionClientStatements = {
  insertSessionClient: follows(
    sessionClientColumns,
    `${insertSql('session_client', sessionClientColumns, { attempts: '0' })} {conflict ${sessionClientKey.join(', ')}} do nothing`,
    { key: sessionClientKey, shardBy: ['session_id'] },
  ),

  /** Makes logout deliveries of the clients of a session that ends. */
  endSessionClients: follows(
    { session_id: 'id', now: 'number', expires: 'number' },
    `update session_client set ended_at = :now, next_attempt = :now, expires = :expires
      {rows} where session_id = :session_id {shard session_client} and ended_at is null`,
    { key: ['session_id'], shardBy: ['session_id'] },
  ),
};
