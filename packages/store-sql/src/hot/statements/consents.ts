import { insertIfSql } from '../sql-text.ts';
import { follows } from '../statement.ts';
import { consentColumns } from '../tables.ts';

export const consentStatements = {
  saveConsent: follows(
    consentColumns,
    `${insertIfSql(
      'consent',
      consentColumns,
      'exists (select 1 from authorization_grant where id = :grant_id and revoked_at is null {lock})',
      { grant_removed: '0' },
    )} on conflict (client_record_id, identity_provider, principal_name, redirect_uri)
      do update set
        subject = excluded.subject, scopes = excluded.scopes, saved_at = excluded.saved_at,
        grant_id = excluded.grant_id, grant_removed = 0`,
    { key: ['client_record_id', 'identity_provider', 'principal_name', 'redirect_uri'] },
  ),
};
