import { insert, update } from '../operation.ts';
import { decides, follows } from '../statement.ts';
import { loginEventColumns, loginSessionColumns } from '../tables.ts';

/** What another login of the same user changes in a session. */
const replaced = Object.keys(loginSessionColumns)
  .filter((column) => column !== 'id' && column !== 'ends')
  .map((column) => `${column} = excluded.${column}`);

export const loginSessionStatements = {
  insertLoginSession: decides(
    loginSessionColumns,
    insert('login_session', loginSessionColumns, {
      onConflict: {
        key: ['id'],
        action: `do update set ${replaced.join(', ')} where login_session.subject = excluded.subject`,
      },
    }),
    { key: ['id'] },
  ),

  /** Before what is given in a session is stored: the session is as it was read, and its ends wait for the commit. */
  holdSession: decides(
    { session_id: 'id', ends: 'number' },
    {
      kind: 'hold',
      table: 'login_session',
      where: (byKey) => `${byKey('id = :session_id')} and ends = :ends`,
      lock: 'for share',
    },
    { routedBy: ['session_id'] },
  ),

  /** The session is as it was read. */
  raiseLoginSession: decides(
    {
      id: 'id',
      ends: 'number',
      authentication: 'text',
      creation_date: 'number',
      last_used: 'number',
      expires: 'number',
    },
    update(
      'login_session',
      `authentication = :authentication, creation_date = :creation_date, last_used = :last_used,
        expires = :expires`,
      (byKey) => `${byKey('id = :id')} and ends = :ends`,
    ),
    { key: ['id'] },
  ),

  touchLoginSession: follows(
    { id: 'id', now: 'number' },
    update('login_session', 'last_used = :now', (byKey) => `${byKey('id = :id')} and last_used < :now`),
    { key: ['id'] },
  ),

  deleteLoginSession: decides(
    { id: 'id' },
    { kind: 'delete', table: 'login_session', where: (byKey) => byKey('id = :id') },
    { key: ['id'] },
  ),

  insertLoginEvent: follows(loginEventColumns, insert('login_event', loginEventColumns), {
    isRoutedByFirst: true,
  }),
};
