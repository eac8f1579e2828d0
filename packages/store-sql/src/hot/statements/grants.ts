import { type ByKey, insert, update } from '../operation.ts';
import { decides, follows } from '../statement.ts';
import { grantColumns } from '../tables.ts';

/**
 * A condition on a code or token: its grant exists and is not revoked. PostgreSQL would make a join of `exists`, and could read all active
 * grants for it. With a plus, `revoked_at` is no condition of the indexes that have only active grants: each statement here finds a grant
 * by its id.
 */
export function grantIsActive(byKey: ByKey): string {
  return `(select g.revoked_at is null from authorization_grant as g where ${byKey('g.id = grant_id', 'g')})`;
}

export const grantStatements = {
  insertGrant: follows(grantColumns, insert('authorization_grant', grantColumns)),

  /** After the issue of a token: the grant is stored at least as long as the token. */
  useGrant: follows(
    { id: 'id', now: 'number', expires: 'number' },
    update(
      'authorization_grant',
      `last_used = case when last_used < :now then :now else last_used end,
        expires = case
          when expires = 0 or :expires = 0 then 0
          when expires < :expires then :expires
          else expires end`,
      (byKey) => byKey('id = :id'),
    ),
    { key: ['id'] },
  ),

  revokeGrant: decides(
    { id: 'id', now: 'number' },
    update(
      'authorization_grant',
      'revoked_at = :now',
      (byKey) => `${byKey('id = :id')} and +revoked_at is null`,
    ),
    { key: ['id'] },
  ),
};
