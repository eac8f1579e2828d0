import { insertSql } from '../sql-text.ts';
import { decides, follows } from '../statement.ts';
import { loginEventColumns, loginSessionColumns } from '../tables.ts';

export const loginSessionStatements = {
  insertLoginSession: follows(loginSessionColumns, insertSql('login_session', loginSessionColumns)),

  touchLoginSession: follows(
    { id: 'id', now: 'number' },
    'update login_session set last_used = :now {rows} where id = :id and last_used < :now',
    { key: ['id'] },
  ),

  deleteLoginSession: decides({ id: 'id' }, 'delete from login_session {rows} where id = :id', {
    key: ['id'],
  }),

  insertLoginEvent: follows(loginEventColumns, insertSql('login_event', loginEventColumns)),
};
