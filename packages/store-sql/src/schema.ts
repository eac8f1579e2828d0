import type { Generated } from 'kysely';

/** The tables, as the migrations leave them. Times are epoch milliseconds, flags 1 or 0. */
export interface Schema {
  resource_server: ResourceServerTable;
  client: ClientTable;
  access_token: AccessTokenTable;
  configuration: ConfigurationTable;
}

/** Columns of a record that every node keeps in memory. */
interface ConfigurationRecord {
  id: Generated<number>;
  creation_date: number;
  /** The configuration revision of its last change. */
  revision: number;
  /** Set on deletion; the reaper removes the row later, so that every node hears of it. */
  deleted_at: Generated<number | null>;
}

interface SecretColumns {
  previous_secret_hash: Uint8Array | null;
  previous_secret_valid_until: number;
}

export interface ResourceServerTable extends ConfigurationRecord, SecretColumns {
  key: string;
  secret_hash: Uint8Array;
  name: string;
  description: string;
  /** Space-delimited. */
  scopes: string;
  contact_name: string;
  contact_email: string;
  thumb_nail_url: string;
  owner: string;
}

export interface ClientTable extends ConfigurationRecord, SecretColumns {
  client_id: string;
  secret_hash: Uint8Array | null;
  client_name: string;
  description: string;
  contact_name: string;
  contact_email: string;
  thumb_nail_url: string;
  resource_server_id: number;
  /** Space-delimited. */
  scopes: string;
  /** JSON array of strings. */
  redirect_uris: string;
  allowed_client_credentials: number;
  allowed_implicit_grant: number;
  use_refresh_tokens: number;
  skip_consent: number;
  include_principal: number;
  expire_duration: number;
  /** JSON object of strings. */
  attributes: string;
  tokens_valid_from: number;
}

/** Hot: one unique key, no foreign key, so that it can be hash-distributed as it stands. */
export interface AccessTokenTable {
  id: Uint8Array;
  verifier_hash: Uint8Array;
  client_record_id: number;
  /** Space-delimited. */
  scopes: string;
  expires: number;
  creation_date: number;
}

/** One row: what the nodes poll to learn of changes to the records they keep in memory. */
export interface ConfigurationTable {
  id: number;
  /** Counts the changes; a changed record carries the number of its change. */
  revision: number;
  /** A node that is behind this revision has missed the removal of a deleted record and reads all anew. */
  reaped_revision: number;
}
