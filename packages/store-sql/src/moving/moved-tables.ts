import type { Schema } from '../schema/schema.ts';

/** A table whose rows are moved, and the columns of its primary key. */
export interface MovedTable {
  readonly table: keyof Schema;
  readonly key: readonly string[];
}

/** The primary key of each table; `undefined` for a table whose rows stay. A table that is missing here does not compile. */
const keys: { readonly [Table in keyof Schema]: readonly (keyof Schema[Table] & string)[] | undefined } = {
  resource_server: ['id'],
  client: ['id'],
  account: ['username'],
  account_link: ['account_id', 'authenticator'],
  credential: ['id'],
  authenticator: ['authenticator_name'],
  authenticator_name: ['authenticator_name'],
  branding: ['branding_id'],
  client_host: ['host_pattern'],
  applied_configuration: ['configuration_name'],
  administrative_right: ['client_record_id', 'right_name'],
  client_registration: ['client_record_id'],
  client_secret_use: ['client_record_id', 'secret_id'],
  initial_token: ['token_id'],
  subject_key: ['id'],
  digest_key: ['id'],
  sealing_key: ['id'],
  signing_key: ['kid'],
  number_sequence: ['sequence_name'],
  registry_revision: ['id'],
  installation_default: ['setting_name'],
  authorization_grant: ['id'],
  consent: ['client_record_id', 'identity_provider', 'principal_name', 'redirect_uri'],
  authorization_code: ['id'],
  refresh_token: ['id'],
  access_token: ['id'],
  revoked_token: ['id'],
  login_session: ['id'],
  login_session_link: ['session_id'],
  session_client: ['session_id', 'client_record_id', 'sid'],
  login_attempt: ['attempt_key'],
  one_time: ['one_time_key'],
  person_link: ['link_id'],
  outgoing_mail: ['mail_id'],
  step_record: ['subject', 'step_name'],
  owner_change: ['identity_provider', 'owner_name'],
  outbox_message: ['sequence_number'],
  audit_event: ['id'],
  login_event: ['id'],
  request_error: ['id'],
  issued_by_hour: ['resource_server_id', 'epoch_hour', 'grant_type'],
  issued_to_client: ['client_record_id', 'epoch_hour'],
  // The background work of the target has leases of its own.
  lease: undefined,
  // They describe a database and not its content.
  heartbeat: undefined,
  schema_requirement: undefined,
  write_proof: undefined,
};

/** The key by which a row has its shard, in a table of a database with shards. */
export function keyOf(table: keyof Schema): readonly string[] {
  return keys[table] ?? [];
}

export const movedTables: readonly MovedTable[] = Object.entries(keys).flatMap(([table, key]) =>
  key === undefined ? [] : [{ table: table as keyof Schema, key }],
);

/** Tables that have rows as soon as they exist. Their rows are replaced. */
export const tablesWithFirstRows: ReadonlySet<keyof Schema> = new Set([
  'subject_key',
  'digest_key',
  'number_sequence',
  'registry_revision',
  'installation_default',
]);
