import type { Kysely } from 'kysely';
import type { ColumnTypes } from '../../column-types.ts';
import { createIndex, createTable, onShards } from '../create-table.ts';

/** Login sessions, consents, local accounts and counts of failed logins. */
export async function people(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await sessionsAndConsents(db, types);
  await sessionClients(db, types);
  await accountsAndAttempts(db, types);
}

async function sessionsAndConsents(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTable(
    db,
    types,
    'login_session',
    {
      id: 'bytes',
      verifier_hash: 'bytes',
      authenticator: 'text',
      identity_provider: 'text',
      principal_name: 'text',
      principal: 'text',
      subject: 'text',
      authentication: 'text',
      creation_date: 'integer',
      last_used: 'integer',
      expires: 'integer',
    },
    onShards,
  );
  await createIndex(db, 'login_session', 'owner', ['identity_provider', 'principal_name', 'id']);
  await createIndex(db, 'login_session', 'expires', ['expires', 'id']);
  await createTable(
    db,
    types,
    'login_session_link',
    {
      session_id: 'text',
      link_key: 'text',
      link_data: 'text',
      expires: 'integer',
    },
    { distributedBy: 'session_id' },
  );
  await createIndex(db, 'login_session_link', 'key', ['link_key', 'session_id']);
  await createIndex(db, 'login_session_link', 'expires', ['expires', 'session_id']);

  const consentKey = {
    client_record_id: 'integer',
    identity_provider: 'text',
    principal_name: 'text',
    redirect_uri: 'text',
  } as const;
  const consent = {
    ...consentKey,
    subject: 'text',
    scopes: 'text',
    saved_at: 'integer',
    grant_id: 'bytes',
    grant_removed: 'integer',
  } as const;
  await createTable(db, types, 'consent', consent, { primaryKey: Object.keys(consentKey), ...onShards });
  // A consent is found by its grant. Only after the removal of the grant it has indexes of its own, in the orders of grants.
  const withoutGrant = { where: ['grant_removed', '> 0'] } as const;
  await createIndex(db, 'consent', 'grant', ['grant_id'], withoutGrant);
  await createIndex(db, 'consent', 'client', ['client_record_id', 'grant_id'], withoutGrant);
  const ownerKey = ['principal_name', 'identity_provider', 'grant_id'];
  await createIndex(db, 'consent', 'owner', ownerKey, withoutGrant);
  await createIndex(db, 'consent', 'subject', ['subject', 'grant_id'], withoutGrant);
}

async function sessionClients(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const key = { session_id: 'bytes', client_record_id: 'integer', sid: 'text' } as const;
  await createTable(
    db,
    types,
    'session_client',
    {
      ...key,
      id: 'bytes',
      subject: 'text',
      expires: 'integer',
      ended_at: 'integer?',
      attempts: 'integer',
      next_attempt: 'integer?',
      failure: 'text?',
    },
    { primaryKey: Object.keys(key), ...onShards },
  );
  await createIndex(db, 'session_client', 'expires', ['expires']);
  // Only deliveries are in these indexes, so a login does not pay for them.
  await createIndex(db, 'session_client', 'due', ['next_attempt'], {
    where: ['next_attempt', 'is not null'],
  });
  const ended = { where: ['ended_at', 'is not null'] } as const;
  await createIndex(db, 'session_client', 'ended', ['id'], ended);
  await createIndex(db, 'session_client', 'ended_client', ['client_record_id', 'id'], ended);
}

async function accountsAndAttempts(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTable(db, types, 'account', {
    username: 'text',
    id: 'text',
    password_hash: 'text?',
    display_name: 'text',
    role_names: 'text',
    group_names: 'text',
    admin_principal: 'integer',
    disabled: 'integer',
    creation_date: 'integer',
    revision: 'integer',
    reset_digest: 'bytes?',
    reset_expires: 'integer?',
  });
  await createIndex(db, 'account', 'id', ['id'], { isUnique: true });
  const hasResetLink = ['reset_digest', 'is not null'] as const;
  await createIndex(db, 'account', 'reset_digest', ['reset_digest'], { isUnique: true, where: hasResetLink });
  await createTable(
    db,
    types,
    'login_attempt',
    {
      attempt_key: 'text',
      failures: 'real',
      counted_at: 'integer',
      expires: 'integer',
    },
    onShards,
  );
  await createIndex(db, 'login_attempt', 'expires', ['expires']);
}
