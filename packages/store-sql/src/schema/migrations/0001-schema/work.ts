import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from '../../column-types.ts';
import { createIndex, createTable } from '../create-table.ts';

/** Keys, values that are used once, and the tables for background work of the nodes. */
export async function work(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  for (const table of ['digest_key', 'subject_key']) {
    await createTable(db, types, table, { id: 'integer', key_bytes: 'bytes' });
    await sql`insert into ${sql.table(table)} (id, key_bytes) values (1, ${randomBytes(32)})`.execute(db);
  }
  await createTable(db, types, 'sealing_key', { id: 'text', key_bytes: 'bytes', creation_date: 'integer' });
  await createTable(db, types, 'signing_key', {
    kid: 'text',
    algorithm: 'text',
    public_key: 'text',
    sealed_private_key: 'text?',
    private_key_reference: 'text?',
    published_at: 'integer',
    signs_from: 'integer',
    retired_at: 'integer?',
    compromised_at: 'integer?',
  });
  await createTable(
    db,
    types,
    'one_time',
    {
      one_time_key: 'text',
      stored_value: 'text',
      expires: 'integer',
      redeemed_at: 'integer?',
    },
    { distributedBy: 'one_time_key' },
  );
  await createIndex(db, 'one_time', 'expires', ['expires', 'one_time_key']);
  await createTable(db, types, 'schema_requirement', { id: 'integer', migration_name: 'text' });
  await sql`insert into schema_requirement (id, migration_name) values (1, '')`.execute(db);
  await createTable(db, types, 'heartbeat', { id: 'integer', beaten_at: 'integer' });
  await sql`insert into heartbeat (id, beaten_at) values (1, 0)`.execute(db);
  await createTable(db, types, 'write_proof', { id: 'integer', filler: 'bytes' });
  await createTable(db, types, 'lease', {
    lease_name: 'text',
    holder: 'text',
    expires: 'integer',
    last_success: 'integer?',
  });
  await createTable(db, types, 'outbox_message', {
    sequence_number: 'integer',
    topic: 'text',
    payload: 'text',
    creation_date: 'integer',
  });
  await createIndex(db, 'outbox_message', 'topic', ['topic', 'sequence_number']);
}
