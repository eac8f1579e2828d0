import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { AttemptOperation } from './attempt-operations.ts';

/** Runs the writes of counts of failed logins, inside a transaction of the caller's. */
export function attemptRunner(db: DatabaseSync): (operation: AttemptOperation) => number {
  // Prepared at first use: the table is there only after the migrations.
  const statements: { find?: StatementSync; put?: StatementSync; remove?: StatementSync } = {};

  return ([, replacements]) => {
    statements.find ??= db.prepare(
      'select failures, counted_at, expires from login_attempt where attempt_key = ?',
    );
    statements.put ??= db.prepare(`insert into login_attempt (attempt_key, failures, counted_at, expires)
      values (?, ?, ?, ?)
      on conflict (attempt_key) do update set
        failures = excluded.failures, counted_at = excluded.counted_at, expires = excluded.expires`);
    statements.remove ??= db.prepare('delete from login_attempt where attempt_key = ?');
    for (const [key, failures, at, expires] of replacements) {
      const found = statements.find.get(key) ?? { failures: null, counted_at: null, expires: null };
      if (found.failures !== failures || found.counted_at !== at || found.expires !== expires) return 0;
    }
    for (const [key, , , , failures, at, expires] of replacements) {
      if (failures === null) statements.remove.run(key);
      else statements.put.run(key, failures, at, expires);
    }
    return replacements.length;
  };
}
