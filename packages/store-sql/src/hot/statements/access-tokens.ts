import { insertSql } from '../sql-text.ts';
import { decides, follows } from '../statement.ts';
import { accessTokenColumns } from '../tables.ts';
import { revokeUnusedGrantsSql } from '../unused-grants.ts';

export const accessTokenStatements = {
  insertAccessToken: follows(accessTokenColumns, insertSql('access_token', accessTokenColumns)),

  /** Before the access token `except_id` is deleted: revokes its grant if it has no other token. */
  revokeGrantOfLastToken: follows(
    { except_id: 'id', valid_from: 'number' },
    revokeUnusedGrantsSql('id = (select grant_id from access_token where id = :except_id)'),
  ),

  deleteAccessToken: decides({ id: 'id' }, 'delete from access_token where id = :id'),
};
