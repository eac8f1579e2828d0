import { type ByKey, insert, update } from '../operation.ts';
import { decides, follows } from '../statement.ts';
import {
  loginAttemptColumns,
  loginEventColumns,
  loginSessionColumns,
  oneTimeColumns,
  sessionClientColumns,
  sessionClientKey,
} from '../tables.ts';

/** What another login of the same user changes in a session. */
const replaced = Object.keys(loginSessionColumns).filter((column) => column !== 'id' && column !== 'ends');
const asExcluded = replaced.map((column) => `${column} = excluded.${column}`).join(', ');
const asGiven = replaced.map((column) => `${column} = :${column}`).join(', ');

export const loginSessionStatements = {
  insertLoginSession: decides(
    loginSessionColumns,
    insert('login_session', loginSessionColumns, {
      onConflict: {
        key: ['id'],
        action: `do update set ${asExcluded} where login_session.subject = excluded.subject`,
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
    loginSessionColumns,
    update('login_session', asGiven, (byKey) => `${byKey('id = :id')} and ends = :ends`),
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

/** The count that was read. */
const foundColumns = {
  attempt_key: 'text',
  found_failures: 'real',
  found_at: 'number',
  found_expires: 'number',
} as const;

const isAsFound = (byKey: ByKey) => `${byKey('attempt_key = :attempt_key')} and failures = :found_failures
  and counted_at = :found_at and expires = :found_expires`;

const byAttempt = { key: ['attempt_key'], routedBy: ['attempt_key'] } as const;

/** Each changes a count of failed logins if it is still as it was read. The command is complete if all of them do. */
export const loginAttemptStatements = {
  replaceAttempts: decides(
    { ...foundColumns, failures: 'real', counted_at: 'number', expires: 'number' },
    update('login_attempt', 'failures = :failures, counted_at = :counted_at, expires = :expires', isAsFound),
    byAttempt,
  ),

  insertAttempts: decides(
    loginAttemptColumns,
    insert('login_attempt', loginAttemptColumns, {
      onConflict: { key: ['attempt_key'], action: 'do nothing' },
    }),
    byAttempt,
  ),

  deleteAttempts: decides(
    foundColumns,
    { kind: 'delete', table: 'login_attempt', where: isAsFound },
    byAttempt,
  ),
};

export const oneTimeStatements = {
  /** Not for an engine with shards, where these rows are distributed by their key and have no number of a shard. */
  insertOneTime: decides(
    oneTimeColumns,
    insert('one_time', oneTimeColumns, { onConflict: { key: ['one_time_key'], action: 'do nothing' } }),
    { key: ['one_time_key'] },
  ),
};
