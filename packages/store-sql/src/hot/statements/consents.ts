import { insert, update } from '../operation.ts';
import { decides } from '../statement.ts';
import { consentColumns, consentKey } from '../tables.ts';

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
