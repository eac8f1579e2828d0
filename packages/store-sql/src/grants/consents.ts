import {
  type ConsentAnswer,
  type ConsentAnswerStore,
  type ConsentKey,
  type ConsentStore,
  formatScope,
  type GivenConsent,
} from '@watchword/protocol';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { add, type Command, commandOf } from '../hot/command.ts';
import type { HotAccess } from '../hot/hot-access.ts';
import { lookup } from '../hot/lookup.ts';
import { statements } from '../hot/statements.ts';
import { consentKey } from '../hot/tables.ts';
import { readFirst } from '../queries/placing.ts';
import { parseScopes } from '../queries/scope-column.ts';
import type { Schema } from '../schema/schema.ts';

const byKey = lookup(
  {
    client_record_id: 'number',
    identity_provider: 'text',
    principal_name: 'text',
    redirect_uri: 'text',
    subject: 'text',
  },
  { scopes: 'text', grant_id: 'id' },
  (byKey) =>
    `consent as t where ${byKey(consentKey.map((column) => `t.${column} = :${column}`).join(' and '), 't')}
      and t.subject = :subject`,
  { routedBy: consentKey },
);

const listLimit = 1000;

/** The half of the consent store that is not hot. */
export function sqlConsents(db: Kysely<Schema>): Pick<ConsentStore, 'listBySubject'> {
  return {
    async listBySubject(subject) {
      const columns = ['c.client_record_id', 'c.scopes', 'c.saved_at'] as const;
      const ofGrants = (isOfIndex: RawBuilder<boolean>) =>
        db
          .selectFrom((from) =>
            from
              .selectFrom('authorization_grant as g')
              .select(['id', 'client_record_id', 'identity_provider', 'principal_name'])
              .where('subject', '=', subject)
              .where(isOfIndex)
              .modifyEnd(readFirst)
              .as('g'),
          )
          .innerJoin('consent as c', (join) =>
            join
              .onRef('c.client_record_id', '=', 'g.client_record_id')
              .onRef('c.identity_provider', '=', 'g.identity_provider')
              .onRef('c.principal_name', '=', 'g.principal_name')
              .onRef('c.grant_id', '=', 'g.id')
              .on('c.grant_removed', '=', 0),
          )
          // The index of the grants has their order.
          .select([...columns, 'g.id as grant_id'])
          .where('c.subject', '=', subject);
      const rows = await db
        .selectFrom('consent as c')
        .select([...columns, 'c.grant_id'])
        .where('c.subject', '=', subject)
        .where('c.grant_removed', '>', 0)
        .unionAll(ofGrants(sql`revoked_at is null`))
        .unionAll(ofGrants(sql`revoked_at is not null`))
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
    find: (key) =>
      hot.read(byKey, keyRow(key), ({ scopes, grant_id }) => ({
        scopes: parseScopes(scopes),
        grantId: grant_id,
      })),

    save: async (consent, grantId) => (await hot.write(consentOf(consent, grantId))) > 0,
  };
}

/** Saves the consent, if its grant is stored and not revoked, and it replaces what it says. */
export function consentOf(consent: GivenConsent, grantId: string): Command {
  const command = commandOf(statements.holdGrant, { grant_id: grantId });
  addConsent(command, consent, grantId);
  return command;
}

/** Decides last: if the consent does not replace what it says, the command has changed nothing. */
export function addConsent(
  command: Command,
  { key, scopes, replaces, savedAt }: GivenConsent,
  grantId: string,
): void {
  const row = { ...keyRow(key), scopes: formatScope(scopes), saved_at: savedAt, grant_id: grantId };
  if (replaces === undefined) add(command, statements.insertConsent, row);
  else add(command, statements.replaceConsent, { ...row, replaces });
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

const existence = lookup(
  { id: 'id' },
  { expires: 'number' },
  (byKey) => `authorization_code as t where ${byKey('t.id = :id', 't')}`,
);

export function hotConsentAnswers(hot: HotAccess): ConsentAnswerStore {
  return {
    isGiven: async (id) => (await hot.read(existence, { id }, () => true)) === true,

    async note(answer) {
      const command: Command = [];
      addAnswer(command, answer);
      return (await hot.write(command)) > 0;
    },
  };
}

const noVerifier = new Uint8Array();

/** Stores an answer without a code. The statement decides, so that the page is answered once. */
export function addAnswer(command: Command, { id, expires }: ConsentAnswer): void {
  add(command, statements.insertAnswer, { id, verifier_hash: noVerifier, expires });
}
