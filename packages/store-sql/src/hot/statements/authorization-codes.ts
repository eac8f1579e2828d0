import { insertSql } from '../sql-text.ts';
import { decides, follows } from '../statement.ts';
import { authorizationCodeColumns } from '../tables.ts';
import { grantIsActive } from './grants.ts';

/**
 * The id of a code can be that of the consent page that it answers. An answer without a code is a row of the same table and id,
 * without a grant, which nobody can redeem. So the primary key decides that a page is answered once, on any number of nodes.
 */
export const authorizationCodeStatements = {
  insertCode: decides(
    authorizationCodeColumns,
    `${insertSql('authorization_code', authorizationCodeColumns, { failures: '0' })} {conflict id} do nothing`,
    { key: ['id'] },
  ),

  insertAnswer: decides(
    { id: 'id', verifier_hash: 'bytes', expires: 'number' },
    `insert into authorization_code {columns id, verifier_hash, client_record_id, scopes, expires, creation_date, failures}
      {values :id, :verifier_hash, 0, '', :expires, 0, 0} {conflict id} do nothing`,
    { key: ['id'] },
  ),

  /** Single use (RFC 6749 §4.1.2) is decided only here: the caller whose statement changes the row redeems the code. */
  redeemCode: decides(
    { id: 'id', grant_id: 'id', now: 'number', max_failures: 'number' },
    `update authorization_code set redeemed_at = :now
      {rows} where id = :id {shard authorization_code} and grant_id = :grant_id and redeemed_at is null and failures < :max_failures
        and ${grantIsActive}`,
    { key: ['id'] },
  ),

  recordCodeFailure: follows(
    { id: 'id' },
    'update authorization_code set failures = failures + 1 {rows} where id = :id {shard authorization_code}',
    { key: ['id'] },
  ),
};
