import { insertIfSql } from '../sql-text.ts';
import { decides, follows } from '../statement.ts';
import { authorizationCodeColumns } from '../tables.ts';
import { grantIsActive } from './grants.ts';

/**
 * The id of a code can be that of the consent page that it answers. Such a page is answered once, by a code or by a
 * stored answer: each of the two statements checks that there is neither.
 */
export const authorizationCodeStatements = {
  insertCode: decides(
    { ...authorizationCodeColumns, answer_key: 'text' },
    `${insertIfSql(
      'authorization_code',
      authorizationCodeColumns,
      'not exists (select 1 from one_time where one_time_key = :answer_key)',
      { failures: '0' },
    )} on conflict (id) do nothing`,
  ),

  insertAnswer: decides(
    { id: 'id', answer_key: 'text', expires: 'number' },
    `insert into one_time (one_time_key, stored_value, expires) select :answer_key, '', :expires
      where not exists (select 1 from authorization_code where id = :id)
      on conflict (one_time_key) do nothing`,
  ),

  /** Single use (RFC 6749 §4.1.2) is decided only here: the caller whose statement changes the row redeems the code. */
  redeemCode: decides(
    { id: 'id', grant_id: 'id', now: 'number', max_failures: 'number' },
    `update authorization_code set redeemed_at = :now
      where id = :id and grant_id = :grant_id and redeemed_at is null and failures < :max_failures
        and ${grantIsActive}`,
  ),

  recordCodeFailure: follows(
    { id: 'id' },
    'update authorization_code set failures = failures + 1 where id = :id',
  ),
};
