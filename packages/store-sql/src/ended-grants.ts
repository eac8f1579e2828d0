import type { GrantEndStore } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import { deleteConsents, isOfSubjects } from './deleted-consents.ts';
import { idToBytes } from './hot/token-id.ts';
import type { Schema } from './schema.ts';

/** @param db a transaction */
export function sqlEndedGrants(db: Kysely<Schema>): GrantEndStore {
  const revoke = async (ids: readonly string[], now: number): Promise<number> => {
    if (ids.length === 0) return 0;
    const { numUpdatedRows } = await db
      .updateTable('authorization_grant')
      .set({ revoked_at: now })
      .where('id', 'in', ids.map(idToBytes))
      .where('revoked_at', 'is', null)
      .where((where) => where.or([where('expires', '=', 0), where('expires', '>', now)]))
      .executeTakeFirstOrThrow();
    return Number(numUpdatedRows);
  };
  return {
    revoke,

    async end(grants, now) {
      if (grants.length === 0) return { grants: 0, consents: 0 };
      const ids = grants.map(({ id }) => id);
      const revoked = await revoke(ids, now);
      let consents = 0;
      // After the grants: a consent that is being saved keeps its grant from being revoked until it is stored.
      for (const [clientRecordId, ofClient] of Map.groupBy(grants, (grant) => grant.clientRecordId)) {
        const subjects = [...new Set(ofClient.map(({ subject }) => subject))];
        consents += await deleteConsents(db, isOfSubjects(subjects, clientRecordId));
      }
      return { grants: revoked, consents };
    },
  };
}
