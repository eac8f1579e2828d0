import { insertSql } from '../sql-text.ts';
import { decides, follows, holds } from '../statement.ts';
import { loginEventColumns, loginSessionColumns } from '../tables.ts';

/** What another login of the same user changes in a session. */
const replaced = Object.keys(loginSessionColumns)
  .filter((column) => column !== 'id' && column !== 'ends')
  .map((column) => `${column} = excluded.${column}`);

export const loginSessionStatements = {
  insertLoginSession: decides(
    loginSessionColumns,
    `${insertSql('login_session', loginSessionColumns)} {conflict id} do update set ${replaced.join(', ')}
      where login_session.subject = excluded.subject`,
    { key: ['id'] },
  ),

  /** Before what is given in a session is stored: the session is as it was read, and its ends wait for the commit. */
  holdSession: holds(
    { session_id: 'id', ends: 'number' },
    `select 1 from login_session {rows}
      where id = :session_id {shard login_session} and ends = :ends {lock}`,
    { shardBy: ['session_id'] },
  ),

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
