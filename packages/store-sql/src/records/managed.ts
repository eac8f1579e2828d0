import type { ManagedQuery } from '@watchword/protocol';
import { type RawBuilder, sql } from 'kysely';

/** Of rows that a configuration manages. Their digest is not null. */
export function isManaged({ by, changedAfter }: ManagedQuery): RawBuilder<boolean> {
  const conditions = [sql`managed_by is not null`];
  if (by !== undefined) conditions.push(sql`managed_by = ${by}`);
  if (changedAfter !== undefined) conditions.push(sql`revision > ${changedAfter}`);
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/** A row as {@link isManaged} selects it. */
export function managedRow<Row extends { readonly applied_digest: string | null }, Kind>(
  row: Row,
  toRecord: (row: Row) => Kind,
) {
  return { record: toRecord(row), appliedDigest: row.applied_digest ?? '' };
}
