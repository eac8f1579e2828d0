import type { GrantStore } from '@watchword/protocol';
import type { GroupCommit } from '../../group-commit.ts';
import { insertGrantWithToken } from './authorization-operations.ts';
import type { WriteOperation, WriteResult } from './write-operations.ts';

/** The hot half of the grant store. */
export function sqliteGrants(
  writes: GroupCommit<WriteOperation, WriteResult>,
): Pick<GrantStore, 'insert' | 'revoke'> {
  return {
    async insert(grant, accessToken, answer, event) {
      return (await writes.add(insertGrantWithToken(grant, accessToken, answer, event))) > 0;
    },

    async revoke(id, now) {
      return (await writes.add(['revokeGrant', id, now])) > 0;
    },
  };
}
