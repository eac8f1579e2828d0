import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** How many records a database has. */
export interface RecordCounts {
  readonly resourceServers: number;
  readonly clients: number;
  readonly accounts: number;
  /** Also those that have expired, until the purge removes them. */
  readonly grants: number;
}

/** Also of a database of an older release. */
export async function countRecords(db: Kysely<Schema>): Promise<RecordCounts> {
  const { rows } = await sql<Record<string, number | bigint | string>>`select
    (select count(*) from resource_server where deleted_at is null) as resource_servers,
    (select count(*) from client where deleted_at is null) as clients,
    (select count(*) from account) as accounts,
    (select count(*) from authorization_grant where revoked_at is null) as grants`.execute(db);
  const [counted] = rows;
  return {
    resourceServers: Number(counted?.resource_servers),
    clients: Number(counted?.clients),
    accounts: Number(counted?.accounts),
    grants: Number(counted?.grants),
  };
}

/** Epoch milliseconds of the last event of the audit log, by its index; `undefined` if it is empty. */
export async function lastEvent(db: Kysely<Schema>): Promise<number | undefined> {
  const { rows } = await sql<{
    readonly last: number | null;
  }>`select max(occurred_at) as last from audit_event`.execute(db);
  const last = rows[0]?.last ?? null;
  return last === null ? undefined : Number(last);
}
