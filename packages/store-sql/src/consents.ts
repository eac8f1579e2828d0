import { type ConsentKey, type ConsentStore, formatScope } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import { commandOf } from './hot/command.ts';
import type { HotAccess } from './hot/hot-access.ts';
import { lookup } from './hot/lookup.ts';
import { statements } from './hot/statements.ts';
import type { Schema } from './schema.ts';
import { parseScopes } from './scope-column.ts';

const byKey = lookup(
  {
    client_record_id: 'number',
    identity_provider: 'text',
    principal_name: 'text',
    redirect_uri: 'text',
    subject: 'text',
  },
  { scopes: 'text' },
  `consent as t
    where t.client_record_id = :client_record_id and t.identity_provider = :identity_provider
      and t.principal_name = :principal_name and t.redirect_uri = :redirect_uri
      and t.subject = :subject`,
);

const listLimit = 1000;

/** The half of the consent store that is not hot. */
export function sqlConsents(db: Kysely<Schema>): Pick<ConsentStore, 'listBySubject'> {
  return {
    async listBySubject(subject) {
      const rows = await db
        .selectFrom('consent')
        .select(['client_record_id', 'scopes', 'saved_at'])
        .where('subject', '=', subject)
        .orderBy('grant_id')
        .limit(listLimit)
        .execute();
      return rows.map(({ client_record_id, scopes, saved_at }) => ({
        clientRecordId: client_record_id,
        scopes: parseScopes(scopes),
        savedAt: saved_at,
      }));
    },
  };
}

/** The hot half of the consent store. */
export function hotConsents(hot: HotAccess): Omit<ConsentStore, 'listBySubject'> {
  return {
    async find(key) {
      return (await hot.read(byKey, keyRow(key), ({ scopes }) => parseScopes(scopes))) ?? [];
    },

    async save(key, scopes, now, grantId) {
      const row = { ...keyRow(key), scopes: formatScope(scopes), saved_at: now, grant_id: grantId };
      await hot.write(commandOf(statements.saveConsent, row));
    },
  };
}

function keyRow({ owner, subject, clientRecordId, redirectUri }: ConsentKey) {
  return {
    client_record_id: clientRecordId,
    identity_provider: owner.identityProvider,
    principal_name: owner.name,
    redirect_uri: redirectUri,
    subject,
  };
}
