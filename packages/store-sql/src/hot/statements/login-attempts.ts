import { type ByKey, insert, update } from '../operation.ts';
import { decides } from '../statement.ts';
import { loginAttemptColumns } from '../tables.ts';

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
