import type {
  LogoutDelivery,
  LogoutDeliveryStore,
  SessionClient,
  SessionClientStore,
} from '@watchword/protocol';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Named } from '../hot/columns.ts';
import { commandOf } from '../hot/command.ts';
import type { HotAccess } from '../hot/hot-access.ts';
import { lookup } from '../hot/lookup.ts';
import { statements } from '../hot/statements.ts';
import type { sessionClientColumns } from '../hot/tables.ts';
import { idFromBytes, idToBytes } from '../hot/token-id.ts';
import { placedByKey, runStatement } from '../queries/placing.ts';
import type { SessionClientTable } from '../schema/people-tables.ts';
import type { Schema } from '../schema/schema.ts';
import { endClientsOf, type SessionEnds } from './session-ends.ts';

const byKey = lookup(
  { session_id: 'id', client_record_id: 'number', sid: 'text' },
  { expires: 'number' },
  (byKey) => `session_client as t where ${byKey('t.session_id = :session_id', 't')}
    and t.client_record_id = :client_record_id and t.sid = :sid`,
  { routedBy: ['session_id'] },
);

/** The half that is hot. */
export function hotSessionClients(hot: HotAccess): Pick<SessionClientStore, 'insert'> {
  return {
    async insert(client) {
      const row = toRow(client);
      const { session_id, client_record_id, sid } = row;
      // Most authorizations of a session are repeated ones, and a read costs less than a commit.
      if ((await hot.read(byKey, { session_id, client_record_id, sid }, () => true)) === true) return;
      await hot.write(commandOf(statements.insertSessionClient, row));
    },
  };
}

/** @param writes for writes of rows by their key */
export function sqlSessionClients(
  db: Kysely<Schema>,
  writes: Kysely<Schema>,
): Pick<SessionClientStore, 'list' | 'move'> {
  const list = async (sessionId: string) => {
    const rows = await ofSession(db, sessionId).where('ended_at', 'is', null).selectAll().execute();
    return rows.map(toSessionClient);
  };
  return {
    list,
    async move(from, to) {
      const clients = await list(from);
      if (clients.length === 0) return;
      for (const client of clients) {
        await runStatement(writes, statements.insertSessionClient, toRow({ ...client, sessionId: to }));
      }
      await writes
        .deleteFrom('session_client')
        .where('session_id', '=', idToBytes(from))
        .where('ended_at', 'is', null)
        .where(isInPlaceOf(idToBytes(from)))
        .execute();
    },
  };
}

/**
 * Called after a session has been removed with its clients: finds those that were stored at the same time, and reports the end. A client
 * that is stored later finds no session.
 */
export function sessionIsEnded(db: Kysely<Schema>, writes: Kysely<Schema>, ends: SessionEnds) {
  return async (sessionId: string, now: number): Promise<void> => {
    const rows = await ofSession(db, sessionId).select('ended_at').execute();
    if (rows.length === 0) return;
    if (rows.some((row) => row.ended_at === null)) await endClientsOf(writes, [idToBytes(sessionId)], now);
    ends.report();
  };
}

/** @param near for writes of a row by its key */
export function sqlLogoutDeliveries(
  db: Kysely<Schema>,
  near: Kysely<Schema>,
  ends: SessionEnds,
): LogoutDeliveryStore {
  return {
    async listDue(now, limit) {
      const rows = await db
        .selectFrom('session_client')
        .selectAll()
        .where('next_attempt', '<=', now)
        .orderBy('next_attempt')
        .limit(limit)
        .execute();
      return rows.map(toDelivery);
    },

    async claim(delivery, until) {
      const { numUpdatedRows } = await near
        .updateTable('session_client')
        .set({ next_attempt: until })
        .where(isRowOf(delivery))
        .where('next_attempt', '=', delivery.nextAttempt ?? null)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    async update(delivery, { attempts, nextAttempt, failure }) {
      await near
        .updateTable('session_client')
        .set({ attempts, next_attempt: nextAttempt ?? null, failure: failure ?? null })
        .where(isRowOf(delivery))
        .execute();
    },

    async retry(delivery, now) {
      const { numUpdatedRows } = await near
        .updateTable('session_client')
        .set({ attempts: 0, next_attempt: now, failure: null })
        .where(isRowOf(delivery))
        .where('ended_at', 'is not', null)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows > 0n) ends.report('retry');
      return numUpdatedRows > 0n;
    },

    async remove(delivery) {
      await near.deleteFrom('session_client').where(isRowOf(delivery)).execute();
    },

    ...listedDeliveries(db),

    onDue: (listener) => ends.listen(listener),
  };
}

function listedDeliveries(db: Kysely<Schema>): Pick<LogoutDeliveryStore, 'list' | 'find'> {
  return {
    async list({ clientRecordId, failed, before, limit }) {
      let query = db
        .selectFrom('session_client')
        .selectAll()
        .where('ended_at', 'is not', null)
        .orderBy('id', 'desc')
        .limit(limit);
      if (clientRecordId !== undefined) query = query.where('client_record_id', '=', clientRecordId);
      if (failed !== undefined) query = query.where('next_attempt', failed ? 'is' : 'is not', null);
      if (before !== undefined) query = query.where('id', '<', idToBytes(before));
      return (await query.execute()).map(toDelivery);
    },

    async find(id) {
      const row = await db
        .selectFrom('session_client')
        .selectAll()
        .where('id', '=', idToBytes(id))
        .where('ended_at', 'is not', null)
        .executeTakeFirst();
      return row && toDelivery(row);
    },
  };
}

function ofSession(db: Kysely<Schema>, sessionId: string) {
  const id = idToBytes(sessionId);
  return db.selectFrom('session_client').where('session_id', '=', id).where(isInPlaceOf(id));
}

function isRowOf({ sessionId, clientRecordId, sid }: SessionClient): RawBuilder<boolean> {
  const id = idToBytes(sessionId);
  return sql`session_id = ${id} and client_record_id = ${clientRecordId} and sid = ${sid} and ${isInPlaceOf(id)}`;
}

/** Always true: the clients of a session are in its place. */
function isInPlaceOf(sessionId: Uint8Array): RawBuilder<boolean> {
  return placedByKey('session_client', [sessionId]);
}

function toRow(client: SessionClient): Named<typeof sessionClientColumns> {
  return {
    session_id: client.sessionId,
    client_record_id: client.clientRecordId,
    sid: client.sid,
    id: client.id,
    subject: client.subject,
    expires: client.expires,
  };
}

function toSessionClient(row: Selectable<SessionClientTable>): SessionClient {
  return {
    id: idFromBytes(row.id),
    sessionId: idFromBytes(row.session_id),
    clientRecordId: row.client_record_id,
    sid: row.sid,
    subject: row.subject,
    expires: row.expires,
  };
}

function toDelivery(row: Selectable<SessionClientTable>): LogoutDelivery {
  return {
    ...toSessionClient(row),
    endedAt: row.ended_at ?? 0,
    attempts: row.attempts,
    nextAttempt: row.next_attempt ?? undefined,
    failure: row.failure ?? undefined,
  };
}
