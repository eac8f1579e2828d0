import type { Clock } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import type { Schema } from '../../schema.ts';
import type { DatabaseCheck } from '../../store.ts';
import { clockOfDatabase, connections, transactionAge } from './checks/capacity.ts';
import type { Check, CheckResult } from './checks/check.ts';
import { checksums, durability, encoding, version } from './checks/configuration.ts';
import { indexes, rights, schema } from './checks/tables.ts';
import type { PostgresqlSettings } from './options.ts';

const checks: readonly Check[] = [
  version,
  encoding,
  schema,
  rights,
  indexes,
  durability,
  checksums,
  connections,
  transactionAge,
  clockOfDatabase,
];

export interface CheckedConnection {
  readonly db: Kysely<Schema>;
  readonly settings: Pick<PostgresqlSettings, 'connections' | 'otherConnections'>;
  readonly clock: Clock;
}

/** Reads what a server needs of the database, and changes nothing. */
export async function runChecks(checked: CheckedConnection): Promise<DatabaseCheck> {
  const results: CheckResult[] = [];
  for (const check of checks) results.push(await check(checked));
  return {
    checked: results.map((result) => result.checked),
    findings: results.flatMap(({ findings = [] }) => findings),
    warnings: results.flatMap(({ warnings = [] }) => warnings),
  };
}
