import type { Kysely } from 'kysely';
import type { ColumnTypes } from '../../column-types.ts';
import { createIndex, createTable, onShards } from '../create-table.ts';

/** The audit log, the counts of issued tokens, and the errors of requests. */
export async function history(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const event = {
    id: 'bytes',
    occurred_at: 'integer',
    event_action: 'text',
    client_id: 'text?',
    source_address: 'text',
    record_type: 'text',
    record_id: 'text',
    record_name: 'text',
    state_after: 'text?',
  } as const;
  await createTable(db, types, 'audit_event', {
    ...event,
    actor_identity_provider: 'text',
    actor_name: 'text',
    owner_identity_provider: 'text',
    owner_name: 'text',
    state_before: 'text?',
  });
  await createIndex(db, 'audit_event', 'owner', ['owner_name', 'owner_identity_provider', 'id']);
  await createIndex(db, 'audit_event', 'actor', ['actor_name', 'actor_identity_provider', 'id']);
  await createIndex(db, 'audit_event', 'record', ['record_id', 'record_type', 'id']);
  await createTable(
    db,
    types,
    'login_event',
    {
      ...event,
      identity_provider: 'text',
      principal_name: 'text',
    },
    onShards,
  );
  await createIndex(db, 'login_event', 'owner', ['principal_name', 'identity_provider', 'id']);

  const countKey = { resource_server_id: 'integer', epoch_hour: 'integer', grant_type: 'text' } as const;
  const count = { ...countKey, tokens: 'integer' } as const;
  await createTable(db, types, 'issued_by_hour', count, { primaryKey: Object.keys(countKey) });
  await createIndex(db, 'issued_by_hour', 'hour', ['epoch_hour']);
  await createTable(
    db,
    types,
    'issued_to_client',
    { client_record_id: 'integer', epoch_hour: 'integer', tokens: 'integer' },
    { primaryKey: ['client_record_id', 'epoch_hour'] },
  );
  await createIndex(db, 'issued_to_client', 'hour', ['epoch_hour', 'tokens']);
  await createTable(
    db,
    types,
    'owner_change',
    { identity_provider: 'text', owner_name: 'text', window_start: 'integer', changes: 'integer' },
    { primaryKey: ['identity_provider', 'owner_name'] },
  );
  await createIndex(db, 'owner_change', 'window', ['window_start']);
  await createTable(db, types, 'request_error', {
    id: 'bytes',
    client_record_id: 'integer',
    occurred_at: 'integer',
    endpoint: 'text',
    error_code: 'text',
    reason: 'text',
    request_id: 'text?',
  });
  await createIndex(db, 'request_error', 'client', ['client_record_id', 'id']);
}
