import { listedTime } from '@watchword/protocol';
import { type DeleteResult, type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { TokenSegments } from '../grants/token-segments.ts';
import type { Schema } from '../schema/schema.ts';
import { inTurn, type PacedOptions, type PurgeOptions } from './batches.ts';
import { isUnlisted, jwtResourceServers } from './jwt-clients.ts';

// Codes and tokens of a grant are removed before the grant.
const belongToClients = ['authorization_grant', 'consent'] as const;

/** Removes rows of deleted clients to which no other row belongs. */
export async function deleteClients(
  db: Kysely<Schema>,
  segments: TokenSegments,
  options: PacedOptions,
): Promise<number> {
  // Only clients that were deleted before this read are removed: a resource server that has JWTs later gave them none.
  const servers = await jwtResourceServers(db);
  const held = await segments.list(db);
  return inTurn(options, (batch) => deleteClientsOnce(db, held, servers, batch));
}

async function deleteClientsOnce(
  db: Kysely<Schema>,
  segments: readonly number[] | undefined,
  jwtResourceServers: readonly number[],
  { deletedBefore, expiredBefore, batchSize }: PurgeOptions,
): Promise<number> {
  const rows = await db
    .selectFrom('client')
    .select(['id', 'revision'])
    .where('deleted_at', '<', deletedBefore)
    .where((where) => isUnlisted(where, jwtResourceServers, { expiredBefore }))
    .where(isFreeClient)
    .where(hasNoToken(segments))
    .limit(batchSize)
    .execute();
  // The condition is checked again, because a row can have been added. No token has: the clients were deleted long ago.
  return remove(db, rows, async (ids) => {
    await db.deleteFrom('client_secret_use').where('client_record_id', 'in', ids).execute();
    return db.deleteFrom('client').where('id', 'in', ids).where(isFreeClient).executeTakeFirstOrThrow();
  });
}

/** Removes rows of deleted resource servers whose clients are removed. */
export async function deleteResourceServers(
  db: Kysely<Schema>,
  { deletedBefore, batchSize }: PurgeOptions,
): Promise<number> {
  const rows = await db
    .selectFrom('resource_server')
    .select(['id', 'revision'])
    .where('deleted_at', '<', deletedBefore)
    .where(isFreeServer)
    // Nobody else gets its URIs while JWTs for it can be valid.
    .where(({ or, eb }) =>
      or([
        eb('metadata', 'not like', '%"formerResources":[{%'),
        eb('deleted_at', '<', deletedBefore - listedTime),
      ]),
    )
    .limit(batchSize)
    .execute();
  return remove(db, rows, (ids) =>
    db.deleteFrom('resource_server').where('id', 'in', ids).where(isFreeServer).executeTakeFirstOrThrow(),
  );
}

function isFreeClient(where: ExpressionBuilder<Schema, 'client'>) {
  return where.and(
    belongToClients.map((table) =>
      where.not(
        where.exists(
          where.selectFrom(table).select('client_record_id').whereRef('client_record_id', '=', 'client.id'),
        ),
      ),
    ),
  );
}

/** A condition on clients that have no access token. @param segments those that have tokens */
function hasNoToken(segments: readonly number[] | undefined) {
  return (where: ExpressionBuilder<Schema, 'client'>) => {
    if (segments?.length === 0) return sql<boolean>`true`;
    const token = where
      .selectFrom('access_token')
      .select('client_record_id')
      .whereRef('client_record_id', '=', 'client.id');
    return where.not(where.exists(segments === undefined ? token : token.where('segment', 'in', segments)));
  };
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
  // Written first: a node that has read less reads all records again, which is correct before and after the removal.
  await db
    .updateTable('registry_revision')
    .set({ purged_revision: purged })
    .where('purged_revision', '<', purged)
    .execute();
  const { numDeletedRows } = await removeRows(rows.map(({ id }) => id));
  return Number(numDeletedRows);
}
