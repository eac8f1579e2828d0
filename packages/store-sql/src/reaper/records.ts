import type { ExpressionBuilder, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import type { ReapOptions } from './batches.ts';

interface Deleted {
  readonly clients: number;
  readonly resourceServers: number;
}

// What hangs on a grant goes before the grant.
const hangOnClients = ['access_token', 'grant', 'consent'] as const;

/** Removes the rows of deleted clients and resource servers on which nothing hangs any more. */
export async function deleteRecords(
  db: Kysely<Schema>,
  { deletedBefore, signal }: ReapOptions,
): Promise<Deleted> {
  if (signal?.aborted) return { clients: 0, resourceServers: 0 };
  return db.transaction().execute(async (transaction) => {
    const clients = await transaction
      .deleteFrom('client')
      .where('deleted_at', '<', deletedBefore)
      .where((where) =>
        where.and(hangOnClients.map((table) => where.not(where.exists(ofClient(where, table))))),
      )
      .returning('revision')
      .execute();
    const resourceServers = await transaction
      .deleteFrom('resource_server')
      .where('deleted_at', '<', deletedBefore)
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('client')
              .select('client.id')
              .whereRef('client.resource_server_id', '=', 'resource_server.id'),
          ),
        ),
      )
      .returning('revision')
      .execute();
    const reaped = Math.max(0, ...[...clients, ...resourceServers].map(({ revision }) => revision));
    await transaction
      .updateTable('configuration')
      .set({ reaped_revision: reaped })
      .where('reaped_revision', '<', reaped)
      .execute();
    return { clients: clients.length, resourceServers: resourceServers.length };
  });
}

function ofClient(where: ExpressionBuilder<Schema, 'client'>, table: (typeof hangOnClients)[number]) {
  return where.selectFrom(table).select('client_record_id').whereRef('client_record_id', '=', 'client.id');
}
