import type { Selectable } from 'kysely';
import type { ChangedRecord, RegistryChanges } from './hot/hot-work.ts';
import { toClient, toResourceServer } from './record-columns.ts';
import type { ClientTable, ResourceServerTable } from './schema.ts';

/** What a snapshot of the registered records can be asked. */
export interface RegistrySnapshot {
  readonly revision: number;
  readonly purgedRevision: number;
  /** Rows whose revision is greater, one by one: a hundred thousand at once would outlive the young generation. */
  resourceServers(since: number): Iterable<Selectable<ResourceServerTable>>;
  clients(since: number): Iterable<Selectable<ClientTable>>;
}

/** Less than every revision. */
export const noRevision = -1;

/** What a reader has to take over that has read the revision; `undefined` when it has read everything. */
export function changesAfter(revision: number, snapshot: RegistrySnapshot): RegistryChanges | undefined {
  if (snapshot.revision === revision) return undefined;
  // A purged record leaves no row to read, and neither does one that a restored backup does not have.
  const isWhole = revision < snapshot.purgedRevision || revision > snapshot.revision;
  const since = isWhole ? noRevision : revision;
  return {
    revision: snapshot.revision,
    isWhole,
    resourceServers: changedRecords(snapshot.resourceServers(since), toResourceServer),
    clients: changedRecords(snapshot.clients(since), toClient),
  };
}

function changedRecords<Row extends { readonly id: number; readonly deleted_at: number | null }, Kind>(
  rows: Iterable<Row>,
  toRecord: (row: Row) => Kind,
): ChangedRecord<Kind>[] {
  return Array.from(rows, (row) => ({
    id: row.id,
    record: row.deleted_at === null ? toRecord(row) : undefined,
  }));
}
