import { insert, update } from '../operation.ts';
import { decides, follows } from '../statement.ts';
import { authorizationCodeColumns } from '../tables.ts';
import { grantIsActive } from './grants.ts';

const onConflict = { key: ['id'], action: 'do nothing' };

const answerColumns = { id: 'id', verifier_hash: 'bytes', expires: 'number' } as const;

/**
 * The id of a code can be that of the consent page that it answers. An answer without a code is a row of the same table and id,
 * without a grant, which nobody can redeem. So the primary key decides that a page is answered once, on any number of nodes.
 */
export const authorizationCodeStatements = {
  insertCode: decides(
    authorizationCodeColumns,
    insert('authorization_code', authorizationCodeColumns, { constants: { failures: '0' }, onConflict }),
    { key: ['id'] },
  ),

  insertAnswer: decides(
    answerColumns,
    insert('authorization_code', answerColumns, {
      constants: { client_record_id: '0', scopes: "''", creation_date: '0', failures: '0' },
      onConflict,
    }),
    { key: ['id'] },
  ),

  /** Single use (RFC 6749 §4.1.2) is decided only here: the caller whose statement changes the row redeems the code. */
  redeemCode: decides(
    { id: 'id', grant_id: 'id', now: 'number', max_failures: 'number' },
    update(
      'authorization_code',
      'redeemed_at = :now',
      (byKey) => `${byKey('id = :id')} and grant_id = :grant_id and redeemed_at is null
        and failures < :max_failures and ${grantIsActive(byKey)}`,
    ),
    { key: ['id'] },
  ),

  recordCodeFailure: follows(
    { id: 'id' },
    update('authorization_code', 'failures = failures + 1', (byKey) => byKey('id = :id')),
    { key: ['id'] },
  ),
};
