import { insert, update } from '../operation.ts';
import { follows } from '../statement.ts';
import { sessionClientColumns, sessionClientKey } from '../tables.ts';

export const sessionClientStatements = {
  insertSessionClient: follows(
    sessionClientColumns,
    insert('session_client', sessionClientColumns, {
      constants: { attempts: '0' },
      onConflict: { key: sessionClientKey, action: 'do nothing' },
    }),
    { key: sessionClientKey, routedBy: ['session_id'] },
  ),

  /** Makes logout deliveries of the clients of a session that ends. */
  endSessionClients: follows(
    { session_id: 'id', now: 'number', expires: 'number' },
    update(
      'session_client',
      'ended_at = :now, next_attempt = :now, expires = :expires',
      (byKey) => `${byKey('session_id = :session_id')} and ended_at is null`,
    ),
    { key: ['session_id'], routedBy: ['session_id'] },
  ),
};
