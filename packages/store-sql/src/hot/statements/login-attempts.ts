import { insertSql } from '../sql-text.ts';
import { decides } from '../statement.ts';
import { loginAttemptColumns } from '../tables.ts';

/** The count that was read. */
const foundColumns = {
  attempt_key: 'text',
  found_failures: 'real',
  found_at: 'number',
  found_expires: 'number',
} as const;

const isAsFound = `attempt_key = :attempt_key {shard login_attempt} and failures = :found_failures
        and counted_at = :found_at and expires = :found_expires`;

/** Each changes a count of failed logins if it is still as it was read. The command is complete if all of them do. */
export const loginAttemptStatements = {
  replaceAttempts: decides(
    { ...foundColumns, failures: 'real', counted_at: 'number', expires: 'number' },
    `update login_attempt set failures = :failures, counted_at = :counted_at, expires = :expires
      {rows} where ${isAsFound}`,
    { key: ['attempt_key'], shardBy: ['attempt_key'] },
  ),

  insertAttempts: decides(
    loginAttemptColumns,
    `${insertSql('login_attempt', loginAttemptColumns)} {conflict attempt_key} do nothing`,
    { key: ['attempt_key'], shardBy: ['attempt_key'] },
  ),

  deleteAttempts: decides(foundColumns, `delete from login_attempt {rows} where ${isAsFound}`, {
    key: ['attempt_key'],
    shardBy: ['attempt_key'],
  }),
};
