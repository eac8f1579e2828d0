import type { DeleteResult, ExpressionBuilder, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import type { PurgeOptions } from './batches.ts';

// What hangs on a grant goes before the grant.
const hangOnClients = ['access_token', 'authorization_grant', 'consent'] as const;

/** Removes rows of deleted clients on which nothing hangs any more. */
export async function deleteClients(
  db: Kysely<Schema>,
  { deletedBefore, batchSize }: PurgeOptions,
): Promise<number> {
  const rows = await db
    .selectFrom('client')
    .select(['id', 'revision'])
    .where('deleted_at', '<', deletedBefore)
    .where(isFreeClient)
    .limit(batchSize)
    .execute();
  // Asked again: something may have come meanwhile.
  return remove(db, rows, (ids) =>
    db.deleteFrom('client').where('id', 'in', ids).where(isFreeClient).executeTakeFirstOrThrow(),
  );
}

/** The same of resource servers, once their clients are gone. */
export async function deleteResourceServers(
  db: Kysely<Schema>,
  { deletedBefore, batchSize }: PurgeOptions,
): Promise<number> {
  const rows = await db
    .selectFrom('resource_server')
    .select(['id', 'revision'])
    .where('deleted_at', '<', deletedBefore)
    .where(isFreeServer)
    .limit(batchSize)
    .execute();
  return remove(db, rows, (ids) =>
    db.deleteFrom('resource_server').where('id', 'in', ids).where(isFreeServer).executeTakeFirstOrThrow(),
  );
}

function isFreeClient(where: ExpressionBuilder<Schema, 'client'>) {
  return where.and(
    hangOnClients.map((table) =>
      where.not(
        where.exists(
          where.selectFrom(table).select('client_record_id').whereRef('client_record_id', '=', 'client.id'),
        ),
      ),
    ),
  );
}

function isFreeServer(where: ExpressionBuilder<Schema, 'resource_server'>) {
  return where.not(
    where.exists(
      where
        .selectFrom('client')
        .select('client.id')
        .whereRef('client.resource_server_id', '=', 'resource_server.id'),
    ),
  );
}

async function remove(
  db: Kysely<Schema>,
  rows: readonly { readonly id: number; readonly revision: number }[],
  removeRows: (ids: readonly number[]) => Promise<DeleteResult>,
): Promise<number> {
  if (rows.length === 0) return 0;
  const purged = Math.max(...rows.map(({ revision }) => revision));
  // Noted first: a node that is behind it reads everything anew, which is right before the rows are gone and afterwards.
  await db
    .updateTable('registry_revision')
    .set({ purged_revision: purged })
    .where('purged_revision', '<', purged)
    .execute();
  const { numDeletedRows } = await removeRows(rows.map(({ id }) => id));
  return Number(numDeletedRows);
}
