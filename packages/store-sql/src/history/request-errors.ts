import type {
  RequestError,
  RequestErrorEndpoint,
  RequestErrorQuery,
  RequestErrorStore,
} from '@watchword/protocol';
import type { Kysely, Selectable } from 'kysely';
import { idFromBytes, idToBytes, leastIdAt } from '../hot/token-id.ts';
import type { RequestErrorTable } from '../schema/history-tables.ts';
import type { Schema } from '../schema/schema.ts';

export function sqlRequestErrors(db: Kysely<Schema>): RequestErrorStore {
  return {
    append: (errors, keptPerClient) =>
      db.transaction().execute(async (transaction) => {
        await transaction.insertInto('request_error').values(errors.map(toRow)).execute();
        for (const id of new Set(errors.map(({ clientRecordId }) => clientRecordId))) {
          await deleteOlder(transaction, id, keptPerClient);
        }
      }),

    list: async (query) => (await selected(db, query).execute()).map(toError),

    async find(requestId, since) {
      const found = await db
        .selectFrom('request_error')
        .selectAll()
        .where('request_id', '=', requestId)
        .where('id', '>=', leastIdAt(since))
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return found && toError(found);
    },
  };
}

/** Removes the errors of a client that follow its newest `kept` ones. */
async function deleteOlder(db: Kysely<Schema>, clientRecordId: number, kept: number): Promise<void> {
  const first = await db
    .selectFrom('request_error')
    .select('id')
    .where('client_record_id', '=', clientRecordId)
    .orderBy('id', 'desc')
    .offset(kept)
    .limit(1)
    .executeTakeFirst();
  if (first === undefined) return;
  await db
    .deleteFrom('request_error')
    .where('client_record_id', '=', clientRecordId)
    .where('id', '<=', first.id)
    .execute();
}

function selected(db: Kysely<Schema>, { clientRecordId, owner, before, since, limit }: RequestErrorQuery) {
  let query = db
    .selectFrom('request_error')
    .selectAll()
    .where('id', '>=', leastIdAt(since))
    .orderBy('id', 'desc')
    .limit(limit);
  if (before !== undefined) query = query.where('id', '<', idToBytes(before));
  if (clientRecordId !== undefined) query = query.where('client_record_id', '=', clientRecordId);
  if (owner === undefined) return query;
  return query.where('client_record_id', 'in', (select) =>
    select
      .selectFrom('client')
      .innerJoin('resource_server', 'resource_server.id', 'client.resource_server_id')
      .select('client.id')
      .where('resource_server.owner_name', '=', owner.name)
      .where('resource_server.owner_identity_provider', '=', owner.identityProvider),
  );
}

function toRow(error: RequestError): RequestErrorTable {
  return {
    id: idToBytes(error.id),
    client_record_id: error.clientRecordId,
    occurred_at: error.time,
    endpoint: error.endpoint,
    error_code: error.error,
    reason: error.reason,
    request_id: error.requestId ?? null,
    rule_name: error.rule ?? null,
    expected: error.expected ?? null,
    came: error.came ?? null,
  };
}

/** Only errors of authenticated clients are stored. */
function toError(row: Selectable<RequestErrorTable>): RequestError {
  return {
    id: idFromBytes(row.id),
    time: row.occurred_at,
    clientRecordId: row.client_record_id,
    endpoint: row.endpoint as RequestErrorEndpoint,
    error: row.error_code,
    reason: row.reason,
    isAuthenticated: true,
    requestId: row.request_id ?? undefined,
    rule: row.rule_name ?? undefined,
    expected: row.expected ?? undefined,
    came: row.came ?? undefined,
  };
}
