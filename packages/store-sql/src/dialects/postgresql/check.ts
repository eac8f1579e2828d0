import type { DatabaseCheck } from '../../store.ts';
import { clockOfDatabase, connections, transactionAge } from './checks/capacity.ts';
import type { Check, CheckResult } from './checks/check.ts';
import { checksums, durability, version } from './checks/configuration.ts';
import { indexes, rights, schema } from './checks/tables.ts';
import { withDatabase } from './open.ts';
import { type PostgresqlOptions, settingsOf } from './options.ts';

const checks: readonly Check[] = [
  version,
  schema,
  rights,
  indexes,
  durability,
  checksums,
  connections,
  transactionAge,
  clockOfDatabase,
];

/** Reads what servers need of the database, and changes nothing. @throws DatabaseOpenError */
export function checkPostgresql(options: PostgresqlOptions): Promise<DatabaseCheck> {
  return withDatabase(options, async (db) => {
    const results: CheckResult[] = [];
    for (const check of checks)
      results.push(await check({ db, settings: settingsOf(options), clock: options.clock }));
    return {
      checked: results.map(({ checked }) => checked),
      findings: results.flatMap(({ findings = [] }) => findings),
      warnings: results.flatMap(({ warnings = [] }) => warnings),
    };
  });
}
