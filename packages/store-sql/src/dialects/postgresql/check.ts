import type { DatabaseCheck } from '../../store/store.ts';
import { toolName, withOpening } from './open.ts';
import { type PostgresqlOptions, settingsOf } from './options.ts';
import { runChecks } from './run-checks.ts';

/** Reads what servers need of the database, and changes nothing. @throws DatabaseOpenError */
export function checkPostgresql(options: PostgresqlOptions): Promise<DatabaseCheck> {
  return withOpening(options, toolName, async ({ db, open }) => {
    const { clock } = options;
    const results = await runChecks({ db, open, settings: settingsOf(options), clock });
    return {
      checked: results.map(({ checked }) => checked),
      findings: results.flatMap(({ findings = [] }) => findings),
      warnings: results.flatMap(({ warnings = [] }) => warnings),
    };
  });
}
