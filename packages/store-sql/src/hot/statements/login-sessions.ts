import { insertSql } from '../sql-text.ts';
import { decides, follows } from '../statement.ts';
import { loginEventColumns, loginSessionColumns } from '../tables.ts';

export const loginSessionStatements = {
  insertLoginSession: follows(loginSessionColumns, insertSql('login_session', loginSessionColumns)),

  touchLoginSession: follows(
    { id: 'id', now: 'number' },
    'update login_session set last_used = :now {rows} where id = :id {shard login_session} and last_used < :now',
    { key: ['id'] },
  ),

  deleteLoginSession: decides(
    { id: 'id' },
    'delete from login_session {rows} where id = :id {shard login_session}',
    {
      key: ['id'],
    },
  ),

  insertLoginEvent: follows(loginEventColumns, insertSql('login_event', loginEventColumns), {
    followsShard: true,
  }),
};
