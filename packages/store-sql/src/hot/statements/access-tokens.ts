import { type ByKey, insert } from '../operation.ts';
import { decides, follows } from '../statement.ts';
import { accessTokenColumns } from '../tables.ts';
import { revokeUnusedGrants } from '../unused-grants.ts';

const ofToken = (byKey: ByKey) =>
  byKey(
    `id = (select token.grant_id from access_token as token where ${byKey('token.id = :except_id', 'token')})`,
  );

export const accessTokenStatements = {
  insertAccessToken: follows(accessTokenColumns, insert('access_token', accessTokenColumns)),

  /** Before the access token `except_id` is deleted: revokes its grant if it has no other token. */
  revokeGrantOfLastToken: follows({ except_id: 'id', valid_from: 'number' }, revokeUnusedGrants(ofToken), {
    grantOf: 'except_id',
    routedBy: ['except_id'],
    // Of two tokens that are deleted at the same time, one must see that it is the last.
    before: {
      kind: 'hold',
      table: 'authorization_grant',
      where: ofToken,
      lock: 'for no key update of authorization_grant',
    },
  }),

  deleteAccessToken: decides(
    { id: 'id' },
    { kind: 'delete', table: 'access_token', where: (byKey) => byKey('id = :id') },
    { key: ['id'] },
  ),
};
