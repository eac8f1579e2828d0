import { formatScope, type IssuedTokenStore } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import { selectTokens, toGrantedToken } from './access-token-rows.ts';
import type { Schema } from './schema.ts';
import { idToBytes } from './token-id.ts';

export function sqlIssuedTokens(db: Kysely<Schema>): IssuedTokenStore {
  return {
    async find(id) {
      const row = await selectTokens(db).where('token.id', '=', idToBytes(id)).executeTakeFirst();
      const found = row && toGrantedToken(row);
      return found?.grantId !== undefined && found.grant === undefined ? undefined : found;
    },

    async insert(token, grant) {
      if (token.grantId !== grant?.id) throw new Error('a token hangs on the grant that it is stored with');
      const { clientRecordId, scopes, expires, creationDate } = token;
      if (grant !== undefined) {
        const { authority, subject, principal } = grant.owner;
        await db
          .insertInto('authorization_grant')
          .values({
            id: idToBytes(grant.id),
            client_record_id: grant.clientRecordId,
            identity_provider: authority,
            principal_name: principal.name,
            principal: JSON.stringify(principal),
            subject,
            authentication: JSON.stringify(grant.authentication),
            scopes: formatScope(grant.scopes),
            creation_date: grant.creationDate,
            last_used: grant.creationDate,
            expires,
            revoked_at: null,
          })
          .execute();
      }
      await db
        .insertInto('access_token')
        .values({
          id: idToBytes(token.id),
          verifier_hash: token.verifierHash,
          client_record_id: clientRecordId,
          scopes: formatScope(scopes),
          expires,
          creation_date: creationDate,
          grant_id: grant === undefined ? null : idToBytes(grant.id),
        })
        .execute();
    },

    async update(id, { scopes, expires }) {
      const updated = await db
        .updateTable('access_token')
        .set({ scopes: formatScope(scopes), expires })
        .where('id', '=', idToBytes(id))
        .returning('grant_id')
        .executeTakeFirst();
      if (updated === undefined) return false;
      if (updated.grant_id !== null) await outlive(db, updated.grant_id, expires);
      return true;
    },

    async revoke(id) {
      const deleted = await db
        .deleteFrom('access_token')
        .where('id', '=', idToBytes(id))
        .returning('grant_id')
        .executeTakeFirst();
      if (deleted === undefined) return false;
      if (deleted.grant_id !== null) await endEmptyGrant(db, deleted.grant_id);
      return true;
    },

    async revokeGrants({ authority, name }, now, limit) {
      const living = db
        .selectFrom('authorization_grant')
        .select('id')
        .where('principal_name', '=', name)
        .where('identity_provider', '=', authority)
        .where('revoked_at', 'is', null)
        .limit(limit);
      const { numUpdatedRows } = await db
        .updateTable('authorization_grant')
        .set({ revoked_at: now })
        .where('id', 'in', living)
        .executeTakeFirstOrThrow();
      return Number(numUpdatedRows);
    },

    async endSessions({ authority, name }) {
      const { numDeletedRows } = await db
        .deleteFrom('login_session')
        .where('identity_provider', '=', authority)
        .where('principal_name', '=', name)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}

/** A grant is kept at least as long as what hangs on it. */
async function outlive(db: Kysely<Schema>, grantId: Uint8Array, expires: number): Promise<void> {
  let grant = db.updateTable('authorization_grant').set({ expires }).where('id', '=', grantId);
  grant = grant.where('expires', '>', 0);
  if (expires > 0) grant = grant.where('expires', '<', expires);
  await grant.execute();
}

/** Else a grant whose one token did not expire would stay for ever. */
async function endEmptyGrant(db: Kysely<Schema>, grantId: Uint8Array): Promise<void> {
  await db
    .updateTable('authorization_grant')
    .set((update) => ({ revoked_at: update.ref('last_used') }))
    .where('id', '=', grantId)
    .where('revoked_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('access_token').select('id').where('grant_id', '=', grantId))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('refresh_token')
            .select('id')
            .where('grant_id', '=', grantId)
            .where('rotated_at', 'is', null),
        ),
      ),
    )
    .execute();
}
