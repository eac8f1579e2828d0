import { describe } from 'node:test';
import { slowSuite } from '@watchword/testkit';
import {
  epochBegins,
  epochEndsTokens,
  onPostgresql,
  onSqlite,
  withoutTruncate,
} from '../support/epoch-rules.ts';

describe('an epoch over SQLite', () => {
  epochEndsTokens(onSqlite);
  epochBegins(onSqlite);
});

describe('an epoch over PostgreSQL', () => {
  epochEndsTokens(onPostgresql);
  // The SQL is that of SQLite. `without-servers.test.ts` has what keeps it from beginning.
  slowSuite('that begins', () => epochBegins(onPostgresql));
});

describe('an epoch over PostgreSQL without the right to truncate', () => epochEndsTokens(withoutTruncate, 1));
