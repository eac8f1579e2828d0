import type { Kysely } from 'kysely';
import type { ColumnTypes } from '../../column-types.ts';
import { createIndex, createTable, onShards } from '../create-table.ts';

const expiring = { where: ['expires', '> 0'] } as const;

/** Hot tables: the id begins with the time, and is the one unique key, so that rows can be distributed by it. */
export async function grantsAndTokens(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await grants(db, types);
  await codesAndTokens(db, types);
}

async function grants(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTable(
    db,
    types,
    'authorization_grant',
    {
      id: 'bytes',
      client_record_id: 'integer',
      identity_provider: 'text',
      principal_name: 'text',
      principal: 'text',
      subject: 'text',
      authentication: 'text',
      scopes: 'text',
      claims: 'text?',
      creation_date: 'integer',
      last_used: 'integer',
      expires: 'integer',
      revoked_at: 'integer?',
    },
    onShards,
  );
  await createIndex(db, 'authorization_grant', 'client', ['client_record_id', 'id']);
  // The name first: administrators search for a name, at any identity provider.
  const ownerKey = ['principal_name', 'identity_provider', 'id'];
  const unrevoked = { where: ['revoked_at', 'is null'] } as const;
  await createIndex(db, 'authorization_grant', 'owner', ownerKey, unrevoked);
  await createIndex(db, 'authorization_grant', 'subject', ['subject', 'id'], unrevoked);
  const revoked = { where: ['revoked_at', 'is not null'] } as const;
  await createIndex(db, 'authorization_grant', 'revoked_owner', ownerKey, revoked);
  await createIndex(db, 'authorization_grant', 'revoked_subject', ['subject', 'id'], revoked);
  await createIndex(db, 'authorization_grant', 'expires', ['expires', 'id'], expiring);
  await createIndex(db, 'authorization_grant', 'revoked', ['revoked_at', 'id'], revoked);
}

async function codesAndTokens(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const issued = {
    id: 'bytes',
    verifier_hash: 'bytes',
    client_record_id: 'integer',
    scopes: 'text',
    expires: 'integer',
    creation_date: 'integer',
  } as const;
  await createTable(
    db,
    types,
    'authorization_code',
    {
      ...issued,
      // Null in an answer to a consent page without a code.
      grant_id: 'bytes?',
      redirect_uri: 'text?',
      code_challenge: 'text?',
      nonce: 'text?',
      failures: 'integer',
      redeemed_at: 'integer?',
    },
    onShards,
  );
  await createTable(
    db,
    types,
    'refresh_token',
    {
      ...issued,
      grant_id: 'bytes',
      absolute_expires: 'integer',
      rotated_at: 'integer?',
      sealed_answer: 'text?',
      successor_id: 'bytes?',
      repetitions: 'integer',
      streak: 'integer',
    },
    onShards,
  );
  for (const table of ['authorization_code', 'refresh_token']) {
    await createIndex(db, table, 'grant', ['grant_id', 'id']);
    await createIndex(db, table, 'expires', ['expires', 'id']);
  }

  await createTable(
    db,
    types,
    'access_token',
    { ...issued, grant_id: 'bytes?', confirmation: 'text?' },
    onShards,
  );
  await createIndex(db, 'access_token', 'client', ['client_record_id', 'id']);
  await createIndex(db, 'access_token', 'expires', ['expires', 'id'], expiring);
  // A token without a grant is not in this index and has no cost for it.
  await createIndex(db, 'access_token', 'grant', ['grant_id', 'id'], { where: ['grant_id', 'is not null'] });

  const revokedToken = {
    id: 'bytes',
    client_record_id: 'integer',
    expires: 'integer',
    revoked_at: 'integer',
  } as const;
  await createTable(db, types, 'revoked_token', revokedToken, onShards);
  await createIndex(db, 'revoked_token', 'expires', ['expires', 'id']);
  await createIndex(db, 'revoked_token', 'revoked', ['revoked_at', 'id']);
}
