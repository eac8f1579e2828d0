import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { AttemptOperation } from './attempt-operations.ts';

/** Runs the writes of counts of failed logins, inside a transaction of the caller's. */
export function attemptRunner(db: DatabaseSync): (operation: AttemptOperation) => number {
  // Prepared at first use: the table is there only after the migrations.
  const statements: { find?: StatementSync; put?: StatementSync; remove?: StatementSync } = {};

  return ([, replacements]) => {
    statements.find ??= db.prepare('select failures, at, expires from login_attempt where key = ?');
    statements.put ??= db.prepare('insert or replace into login_attempt values (?, ?, ?, ?)');
    statements.remove ??= db.prepare('delete from login_attempt where key = ?');
    for (const [key, failures, at, expires] of replacements) {
      const found = statements.find.get(key) ?? { failures: null, at: null, expires: null };
      if (found.failures !== failures || found.at !== at || found.expires !== expires) return 0;
    }
    for (const [key, , , , failures, at, expires] of replacements) {
      if (failures === null) statements.remove.run(key);
      else statements.put.run(key, failures, at, expires);
    }
    return replacements.length;
  };
}
