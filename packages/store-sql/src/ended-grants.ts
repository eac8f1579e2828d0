import type { GrantEndStore } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import { deleteConsents, isOfSubjects } from './deleted-consents.ts';
import { idToBytes } from './hot/token-id.ts';
import type { Schema } from './schema.ts';

/** @param db a transaction */
export function sqlEndedGrants(db: Kysely<Schema>): GrantEndStore {
  return {
    async end(grants, now) {
      let consents = 0;
      // Consents first, so that no consent remains under which a grant was revoked.
      for (const [clientRecordId, ofClient] of Map.groupBy(grants, (grant) => grant.clientRecordId)) {
        const subjects = [...new Set(ofClient.map(({ subject }) => subject))];
        consents += await deleteConsents(db, isOfSubjects(subjects, clientRecordId));
      }
      if (grants.length === 0) return { grants: 0, consents };
      const { numUpdatedRows } = await db
        .updateTable('authorization_grant')
        .set({ revoked_at: now })
        .where(
          'id',
          'in',
          grants.map(({ id }) => idToBytes(id)),
        )
        .where('revoked_at', 'is', null)
        .where((where) => where.or([where('expires', '=', 0), where('expires', '>', now)]))
        .executeTakeFirstOrThrow();
      return { grants: Number(numUpdatedRows), consents };
    },
  };
}
