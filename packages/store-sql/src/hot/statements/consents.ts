import { insertSql } from '../sql-text.ts';
import { decides, holds } from '../statement.ts';
import { consentColumns, consentKey } from '../tables.ts';

export const consentStatements = {
  /** Before a consent is saved: nobody revokes its grant until it is. Two statements, because they can be on two shards. */
  holdGrant: holds(
    { grant_id: 'id' },
    `select 1 from authorization_grant {rows}
      where id = :grant_id {shard authorization_grant} and +revoked_at is null {lock}`,
    { shardBy: ['grant_id'], grantOf: 'grant_id' },
  ),

  /** The first consent of its key. One of another subject, who had the name before, does not count. */
  insertConsent: decides(
    consentColumns,
    `${insertSql('consent', consentColumns, { grant_removed: '0' })} {conflict ${consentKey.join(', ')}}
      do update set
        subject = excluded.subject, scopes = excluded.scopes, saved_at = excluded.saved_at,
        grant_id = excluded.grant_id, grant_removed = 0
      where consent.subject <> excluded.subject`,
    { key: consentKey, shardBy: consentKey },
  ),

  /** Replaces a consent if it is the one that was read. */
  replaceConsent: decides(
    { ...consentColumns, replaces: 'id' },
    `update consent set
        scopes = :scopes, saved_at = :saved_at, grant_id = :grant_id, grant_removed = 0
      {rows} where ${consentKey.map((column) => `${column} = :${column}`).join(' and ')} {shard consent}
        and subject = :subject and grant_id = :replaces`,
    { key: consentKey, shardBy: consentKey },
  ),
};
