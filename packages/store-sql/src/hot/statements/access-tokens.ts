import { insertSql } from '../sql-text.ts';
import { decides, follows } from '../statement.ts';
import { accessTokenColumns } from '../tables.ts';
import { revokeUnusedGrantsSql } from '../unused-grants.ts';

const grantOfToken =
  '(select token.grant_id from access_token as token where token.id = :except_id {shard token})';

export const accessTokenStatements = {
  insertAccessToken: follows(accessTokenColumns, insertSql('access_token', accessTokenColumns)),

  /** Before the access token `except_id` is deleted: revokes its grant if it has no other token. */
  revokeGrantOfLastToken: follows(
    { except_id: 'id', valid_from: 'number' },
    revokeUnusedGrantsSql(`id = ${grantOfToken}`),
    {
      grantOf: 'except_id',
      shardBy: ['except_id'],
      // Of two tokens that are deleted at the same time, one must see that it is the last.
      before: `select 1 from authorization_grant {rows}
        where id = ${grantOfToken} {shard authorization_grant} for no key update of authorization_grant`,
    },
  ),

  deleteAccessToken: decides(
    { id: 'id' },
    'delete from access_token {rows} where id = :id {shard access_token}',
    { key: ['id'] },
  ),
};
