import type { ManagedQuery } from '@watchword/protocol';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Schema } from '../schema/schema.ts';

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

/** The number of rows that a configuration manages. @param rows those that are not deleted */
export async function countManaged<Table extends 'client' | 'resource_server', Row>(
  rows: SelectQueryBuilder<Schema, Table, Row>,
): Promise<number> {
  const counted = rows.where(isManaged({})).clearSelect().select(sql<number>`count(*)`.as('managed'));
  return Number((await counted.executeTakeFirstOrThrow()).managed);
}
