import { insertSql } from '../sql-text.ts';
import { decides, follows } from '../statement.ts';
import { grantColumns } from '../tables.ts';

/**
 * A condition on a code or token: its grant exists and is not revoked. PostgreSQL would make a join of `exists`, and could read all active
 * grants for it. With a plus, `revoked_at` is no condition of the indexes that have only active grants: each statement here finds a grant
 * by its id.
 */
export const grantIsActive =
  '(select g.revoked_at is null from authorization_grant as g where g.id = grant_id {shard g})';

export const grantStatements = {
  insertGrant: follows(grantColumns, insertSql('authorization_grant', grantColumns)),

  /** After the issue of a token: the grant is stored at least as long as the token. */
  useGrant: follows(
    { id: 'id', now: 'number', expires: 'number' },
    `update authorization_grant set
        last_used = case when last_used < :now then :now else last_used end,
        expires = case
          when expires = 0 or :expires = 0 then 0
          when expires < :expires then :expires
          else expires end
      {rows} where id = :id {shard authorization_grant}`,
    { key: ['id'] },
  ),

  revokeGrant: decides(
    { id: 'id', now: 'number' },
    'update authorization_grant set revoked_at = :now {rows} where id = :id {shard authorization_grant} and +revoked_at is null',
    { key: ['id'] },
  ),
};
