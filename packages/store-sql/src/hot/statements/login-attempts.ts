import { decidesByNumber, follows } from '../statement.ts';

const countColumns = {
  attempt_key: 'text',
  failures: 'number',
  counted_at: 'number',
  expires: 'number',
} as const;

/** Changes a count of failed logins, if it still has the value that was read. */
export const loginAttemptStatements = {
  expectAttempts: decidesByNumber(
    countColumns,
    `select 1 from login_attempt where attempt_key = :attempt_key and failures = :failures
      and counted_at = :counted_at and expires = :expires`,
  ),

  expectNoAttempts: decidesByNumber(
    { attempt_key: 'text' },
    'select 1 where not exists (select 1 from login_attempt where attempt_key = :attempt_key)',
  ),

  putAttempts: follows(
    countColumns,
    `insert into login_attempt (attempt_key, failures, counted_at, expires)
      values (:attempt_key, :failures, :counted_at, :expires)
      on conflict (attempt_key) do update set
        failures = excluded.failures, counted_at = excluded.counted_at, expires = excluded.expires`,
  ),

  deleteAttempts: follows(
    { attempt_key: 'text' },
    'delete from login_attempt where attempt_key = :attempt_key',
  ),
};
