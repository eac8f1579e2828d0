import { insertSql } from '../sql-text.ts';
import { decidesByNumber, follows } from '../statement.ts';
import { consentColumns, consentKey } from '../tables.ts';

export const consentStatements = {
  /** Before a consent is saved: nobody revokes its grant until it is. Two statements, because they can be on two shards. */
  holdGrant: decidesByNumber(
    { grant_id: 'id' },
    `select 1 from authorization_grant {rows}
      where id = :grant_id {shard authorization_grant} and +revoked_at is null {lock}`,
    { shardBy: ['grant_id'], grantOf: 'grant_id' },
  ),

  saveConsent: follows(
    consentColumns,
    `${insertSql('consent', consentColumns, { grant_removed: '0' })} {conflict ${consentKey.join(', ')}}
      do update set
        subject = excluded.subject, scopes = excluded.scopes, saved_at = excluded.saved_at,
        grant_id = excluded.grant_id, grant_removed = 0`,
    { key: consentKey, shardBy: consentKey },
  ),
};
