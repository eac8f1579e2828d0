import { describe } from 'node:test';
import {
  epochBegins,
  epochEndsTokens,
  onPostgresql,
  onSqlite,
  withoutTruncate,
} from '../support/epoch-rules.ts';

for (const [name, make] of [
  ['SQLite', onSqlite],
  ['PostgreSQL', onPostgresql],
] as const) {
  describe(`an epoch over ${name}`, () => {
    epochEndsTokens(make);
    epochBegins(make);
  });
}

describe('an epoch over PostgreSQL without the right to truncate', () => epochEndsTokens(withoutTruncate, 1));
