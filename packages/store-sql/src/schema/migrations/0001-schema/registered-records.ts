import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from '../../column-types.ts';
import { createIndex, createTable } from '../create-table.ts';

/** Resource servers and clients, and the row that nodes poll to find their changes. */
export async function registeredRecords(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTable(db, types, 'registry_revision', {
    id: 'integer',
    revision: 'integer',
    purged_revision: 'integer',
  });
  await sql`insert into registry_revision (id, revision, purged_revision) values (1, 0, 0)`.execute(db);
  await createTable(db, types, 'number_sequence', { sequence_name: 'text', last_number: 'integer' });
  for (const name of ['resource_server', 'client', 'outbox_message']) {
    await sql`insert into number_sequence (sequence_name, last_number) values (${name}, 0)`.execute(db);
  }

  const record = { creation_date: 'integer', revision: 'integer', deleted_at: 'integer?' } as const;
  const previousSecret = {
    previous_secret_hash: 'bytes?',
    previous_secret_valid_until: 'integer',
  } as const;
  await createTable(db, types, 'resource_server', {
    id: 'integer',
    server_key: 'text',
    secret_hash: 'bytes',
    ...previousSecret,
    server_name: 'text',
    scopes: 'text',
    owner_identity_provider: 'text',
    owner_name: 'text',
    metadata: 'text',
    ...record,
  });
  // A name is free again when its record is deleted.
  const unique = { isUnique: true, where: ['deleted_at', 'is null'] } as const;
  await createIndex(db, 'resource_server', 'key', ['server_key'], unique);
  const ownName = ['owner_name', 'owner_identity_provider', 'server_name'];
  await createIndex(db, 'resource_server', 'owner_name', ownName, unique);
  await createIndex(db, 'resource_server', 'revision', ['revision']);

  await createTable(db, types, 'client', {
    id: 'integer',
    client_id: 'text',
    secret_hash: 'bytes?',
    ...previousSecret,
    client_name: 'text',
    resource_server_id: 'integer',
    scopes: 'text',
    skip_consent: 'integer',
    is_trusted: 'integer',
    tokens_valid_from: 'integer',
    metadata: 'text',
    ...record,
  });
  await createIndex(db, 'client', 'client_id', ['client_id'], unique);
  // Its id is unique. The index says so too: then a list by client, and by id below, needs no sort.
  await createIndex(db, 'client', 'resource_server', ['resource_server_id', 'id'], { isUnique: true });
  await createIndex(db, 'client', 'revision', ['revision']);
  // Few clients are in these: deleted ones, and those whose tokens were all revoked.
  await createIndex(db, 'client', 'deleted', ['deleted_at', 'id'], { where: ['deleted_at', 'is not null'] });
  const revoked = { where: ['tokens_valid_from', '> 0'] } as const;
  await createIndex(db, 'client', 'revoked', ['tokens_valid_from', 'id'], revoked);
}
