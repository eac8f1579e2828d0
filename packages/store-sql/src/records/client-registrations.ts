import type {
  ClientRegistrationRecord,
  ClientRegistrationStore,
  InitialToken,
  InitialTokenStore,
} from '@watchword/protocol';
import type { Kysely, Selectable } from 'kysely';
import type { ClientRegistrationTable, InitialTokenTable } from '../schema/registration-tables.ts';
import type { Schema } from '../schema/schema.ts';

export function sqlClientRegistrations(db: Kysely<Schema>): ClientRegistrationStore {
  const updateOf = (clientRecordId: number) =>
    db.updateTable('client_registration').where('client_record_id', '=', clientRecordId);
  return {
    async find(clientRecordId) {
      const row = await db
        .selectFrom('client_registration')
        .selectAll()
        .where('client_record_id', '=', clientRecordId)
        .executeTakeFirst();
      return row && toRegistration(row);
    },

    async listIdle({ usedBefore, after, limit }) {
      const rows = await db
        .selectFrom('client_registration')
        .selectAll()
        .where('last_used', '<', usedBefore)
        .where('client_record_id', '>', after)
        .orderBy('client_record_id')
        .limit(limit)
        .execute();
      return rows.map(toRegistration);
    },

    async countUnused(most) {
      const unused = db
        .selectFrom('client_registration')
        .select('client_record_id')
        .where('last_used', '=', 0);
      const { rows } = await db
        .selectFrom(unused.limit(most).as('unused'))
        .select(({ fn }) => fn.countAll<number>().as('rows'))
        .executeTakeFirstOrThrow();
      return Number(rows);
    },

    async create({ clientRecordId, tokenDigest, creationDate, lastUsed, initialTokenId, ...claimed }) {
      await db
        .insertInto('client_registration')
        .values({
          client_record_id: clientRecordId,
          token_digest: tokenDigest,
          creation_date: creationDate,
          last_used: lastUsed,
          initial_token_id: initialTokenId ?? null,
          claimed_name: claimed.claimedName,
          application_type: claimed.applicationType,
        })
        .execute();
    },

    async update(clientRecordId, { claimedName, applicationType }) {
      await updateOf(clientRecordId)
        .set({ claimed_name: claimedName, application_type: applicationType })
        .execute();
    },

    async markUsed(clientRecordId, lastUsed) {
      await updateOf(clientRecordId).set({ last_used: lastUsed }).where('last_used', '<', lastUsed).execute();
    },

    async remove(clientRecordId) {
      const { numDeletedRows } = await db
        .deleteFrom('client_registration')
        .where('client_record_id', '=', clientRecordId)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },
  };
}

export function sqlInitialTokens(db: Kysely<Schema>): InitialTokenStore {
  return {
    async find(id) {
      const row = await db
        .selectFrom('initial_token')
        .selectAll()
        .where('token_id', '=', id)
        .executeTakeFirst();
      return row && toInitialToken(row);
    },

    async list({ after = '', limit }) {
      const rows = await db
        .selectFrom('initial_token')
        .selectAll()
        .where('token_id', '>', after)
        .orderBy('token_id')
        .limit(limit)
        .execute();
      return rows.map(toInitialToken);
    },

    async create({ id, digest, note, creationDate, expires, maxClients, clients }) {
      await db
        .insertInto('initial_token')
        .values({
          token_id: id,
          token_digest: digest,
          note,
          creation_date: creationDate,
          expires,
          max_clients: maxClients,
          clients,
        })
        .execute();
    },

    async countClient(id) {
      const { numUpdatedRows } = await db
        .updateTable('initial_token')
        .set((update) => ({ clients: update('clients', '+', 1) }))
        .where('token_id', '=', id)
        .where(({ eb, or, ref }) => or([eb('max_clients', '=', 0), eb('clients', '<', ref('max_clients'))]))
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    async remove(id) {
      const { numDeletedRows } = await db
        .deleteFrom('initial_token')
        .where('token_id', '=', id)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },
  };
}

function toRegistration(row: Selectable<ClientRegistrationTable>): ClientRegistrationRecord {
  return {
    clientRecordId: row.client_record_id,
    tokenDigest: row.token_digest,
    creationDate: row.creation_date,
    lastUsed: row.last_used,
    initialTokenId: row.initial_token_id ?? undefined,
    claimedName: row.claimed_name,
    applicationType: row.application_type,
  };
}

function toInitialToken(row: Selectable<InitialTokenTable>): InitialToken {
  return {
    id: row.token_id,
    digest: row.token_digest,
    note: row.note,
    creationDate: row.creation_date,
    expires: row.expires,
    maxClients: row.max_clients,
    clients: row.clients,
  };
}
