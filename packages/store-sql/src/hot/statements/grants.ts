import { type ByKey, insert, update } from '../operation.ts';
import { outcomeNumber } from '../repetition-outcomes.ts';
import { decides, follows } from '../statement.ts';
import {
  accessTokenColumns,
  authorizationCodeColumns,
  consentColumns,
  consentKey,
  grantColumns,
  refreshTokenColumns,
  revokedTokenColumns,
} from '../tables.ts';
import { revokeUnusedGrants } from '../unused-grants.ts';

/**
 * A condition on a code or token: its grant exists and is not revoked. PostgreSQL would make a join of `exists`, and could read all active
 * grants for it. With a plus, `revoked_at` is no condition of the indexes that have only active grants: each statement here finds a grant
 * by its id.
 */
function grantIsActive(byKey: ByKey): string {
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

export const consentStatements = {
  /** Before a consent is saved: nobody revokes its grant until it is. Two statements, because they can be in two places. */
  holdGrant: decides(
    { grant_id: 'id' },
    {
      kind: 'hold',
      table: 'authorization_grant',
      where: (byKey) => `${byKey('id = :grant_id')} and +revoked_at is null`,
      lock: 'for share',
    },
    { routedBy: ['grant_id'], grantOf: 'grant_id' },
  ),

  /** The first consent of its key. One of another subject, who had the name before, does not count. */
  insertConsent: decides(
    consentColumns,
    insert('consent', consentColumns, {
      constants: { grant_removed: '0' },
      onConflict: {
        key: consentKey,
        action: `do update set
          subject = excluded.subject, scopes = excluded.scopes, saved_at = excluded.saved_at,
          grant_id = excluded.grant_id, grant_removed = 0
        where consent.subject <> excluded.subject`,
      },
    }),
    { key: consentKey, routedBy: consentKey },
  ),

  /** Replaces a consent if it is the one that was read. */
  replaceConsent: decides(
    { ...consentColumns, replaces: 'id' },
    update(
      'consent',
      'scopes = :scopes, saved_at = :saved_at, grant_id = :grant_id, grant_removed = 0',
      (byKey) => `${byKey(consentKey.map((column) => `${column} = :${column}`).join(' and '))}
        and subject = :subject and grant_id = :replaces`,
    ),
    { key: consentKey, routedBy: consentKey },
  ),
};

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

  /** Nobody got the code. Its id is free again for another answer to the same consent page. */
  deleteCode: follows(
    { id: 'id' },
    { kind: 'delete', table: 'authorization_code', where: (byKey) => byKey('id = :id') },
    { key: ['id'] },
  ),
};

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

const table = 'refresh_token';

export const refreshTokenStatements = {
  insertRefreshToken: follows(
    refreshTokenColumns,
    insert(table, refreshTokenColumns, { constants: { repetitions: '0', streak: '0' } }),
  ),

  insertSuccessor: follows(
    { ...refreshTokenColumns, predecessor_id: 'id' },
    insert(table, refreshTokenColumns, {
      constants: { repetitions: '0' },
      // A token counts how often it was returned again, and how many rotations in a row before its own were repeated.
      derived: {
        column: 'streak',
        expression: 'case when repetitions > 0 then streak + 1 else 0 end',
        table,
        where: (byKey) => byKey('id = :predecessor_id'),
      },
    }),
  ),

  /** Rotation is decided only here: the caller whose statement changes the row rotates the token. */
  rotateRefreshToken: decides(
    { id: 'id', grant_id: 'id', now: 'number', sealed_answer: 'text', successor_id: 'id' },
    update(
      table,
      'rotated_at = :now, sealed_answer = :sealed_answer, successor_id = :successor_id',
      (byKey) =>
        `${byKey('id = :id')} and grant_id = :grant_id and rotated_at is null and ${grantIsActive(byKey)}`,
      { leaves: ['id', 'repetitions', 'streak'] },
    ),
    { key: ['id'] },
  ),

  /** A token that is kept has the grant and the time of its last use. */
  keepRefreshToken: decides(
    { id: 'id', grant_id: 'id', expires: 'number' },
    update(
      table,
      'expires = :expires',
      (byKey) =>
        `${byKey('id = :id')} and grant_id = :grant_id and rotated_at is null and ${grantIsActive(byKey)}`,
    ),
    { key: ['id'] },
  ),

  /** Returns the number of an outcome. */
  repeatRotation: decides(
    { id: 'id', max_repetitions: 'number', max_streak: 'number' },
    update(
      table,
      'repetitions = repetitions + 1',
      (byKey) =>
        `${byKey(`id = (select rotated.successor_id from refresh_token as rotated
        where ${byKey('rotated.id = :id', 'rotated')})`)} and ${grantIsActive(byKey)}`,
      {
        returns: `case
          when rotated_at is not null then ${outcomeNumber('used')}
          when :max_streak > 0 and streak + 1 >= :max_streak then ${outcomeNumber('streak')}
          when repetitions > :max_repetitions then ${outcomeNumber('exhausted')}
          else ${outcomeNumber('answered')} end`,
      },
    ),
    { key: ['id'], grantOf: 'id' },
  ),
};

export const revokedTokenStatements = {
  insertRevokedToken: decides(
    revokedTokenColumns,
    insert('revoked_token', revokedTokenColumns, {
      onConflict: {
        key: ['id'],
        // A token that has ended at some resource servers can end at others, or at all. One that has ended at all stays so.
        action: `do update set revoked_at = excluded.revoked_at, ended_at_servers = excluded.ended_at_servers
          where revoked_token.ended_at_servers is not null`,
      },
    }),
    { key: ['id'] },
  ),
};
