import type { Selectable } from 'kysely';
import { toClientRow } from '../hot/client-row.ts';
import type { DatabaseValue } from '../hot/columns.ts';
import type { ChangedRecord, RegistryChanges } from '../hot/hot-work.ts';
import type { ResourceServerTable } from '../schema/schema.ts';
import { keptClient } from './kept-client.ts';
import { toResourceServer } from './record-columns.ts';

/** Reads from a snapshot of the registered records. */
export interface RegistrySnapshot {
  readonly revision: number;
  readonly purgedRevision: number;
  /**
   * Rows whose revision is greater, one by one, because a hundred thousand at once would not fit into the young
   * generation of the heap.
   */
  resourceServers(since: number): Iterable<Selectable<ResourceServerTable>>;
  /** Values of the columns that `clientRowColumns` writes. */
  clients(since: number): Iterable<readonly DatabaseValue[]>;
}

/** Smaller than every revision. */
export const noRevision = -1;

/** What a reader that has read the revision must read; `undefined` if nothing has changed. */
export function changesToRead(
  revision: number,
  current: Pick<RegistrySnapshot, 'revision' | 'purgedRevision'>,
): { readonly since: number; readonly isWhole: boolean } | undefined {
  if (current.revision === revision) return undefined;
  // A purged record leaves no row to read, and neither does one that a restored backup does not have.
  const isWhole = revision < current.purgedRevision || revision > current.revision;
  return { since: isWhole ? noRevision : revision, isWhole };
}

/** The changes for a reader that has read the revision; `undefined` if there are none. */
export function changesAfter(revision: number, snapshot: RegistrySnapshot): RegistryChanges | undefined {
  const changes = changesToRead(revision, snapshot);
  if (changes === undefined) return undefined;
  return {
    revision: snapshot.revision,
    isWhole: changes.isWhole,
    resourceServers: changedResourceServers(snapshot.resourceServers(changes.since)),
    clients: changedClients(snapshot.clients(changes.since)),
  };
}

export function changedResourceServers(
  rows: Iterable<Selectable<ResourceServerTable>>,
): RegistryChanges['resourceServers'] {
  return Array.from(rows, (row) => changedRecord(row, toResourceServer));
}

/** @throws SyntaxError if a row is damaged */
export function changedClients(rows: Iterable<readonly DatabaseValue[]>): RegistryChanges['clients'] {
  return Array.from(rows, (values) => changedRecord(toClientRow(values), keptClient));
}

function changedRecord<Row extends { readonly id: number; readonly deleted_at: number | null }, Kind>(
  row: Row,
  toRecord: (row: Row) => Kind,
): ChangedRecord<Kind> {
  return { id: row.id, record: row.deleted_at === null ? toRecord(row) : undefined };
}
