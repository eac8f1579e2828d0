import type { Generated } from 'kysely';
import type { AuditEventTable, IssuedByHourTable, LoginEventTable } from './history-tables.ts';

/** The tables, as the migrations leave them. Times are epoch milliseconds, flags 1 or 0. */
export interface Schema {
  resource_server: ResourceServerTable;
  client: ClientTable;
  access_token: AccessTokenTable;
  grant: GrantTable;
  authorization_code: AuthorizationCodeTable;
  refresh_token: RefreshTokenTable;
  login_session: LoginSessionTable;
  consent: ConsentTable;
  sealing_key: SealingKeyTable;
  one_time: OneTimeTable;
  login_session_link: LoginSessionLinkTable;
  account: AccountTable;
  login_attempt: LoginAttemptTable;
  audit_event: AuditEventTable;
  login_event: LoginEventTable;
  digest_key: DigestKeyTable;
  issued_by_hour: IssuedByHourTable;
  owner_change: OwnerChangeTable;
  configuration: ConfigurationTable;
  write_proof: WriteProofTable;
}

/** Columns of a record that every node keeps in memory. */
interface ConfigurationRecord {
  id: Generated<number>;
  creation_date: number;
  /** The configuration revision of its last change. */
  revision: number;
  /** Set on deletion; the purge removes the row later, so that every node hears of it. */
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
  owner_authority: Generated<string>;
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
  trusted: number;
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
  /** Null for a client-credentials token. */
  grant_id: Uint8Array | null;
}

/** Who: the same name of another authority is somebody else. */
interface OwnerColumns {
  authority: string;
  principal_name: string;
  /** JSON of the principal, its name included. */
  principal: string;
}

/** Hot, like everything that hangs on it. What is revoked here counts no more, with all under it. */
export interface GrantTable extends OwnerColumns {
  id: Uint8Array;
  client_record_id: number;
  /** Space-delimited. */
  scopes: string;
  creation_date: number;
  last_used: number;
  /** Nothing under the grant expires later; 0 = something never does. Only ever raised. */
  expires: number;
  revoked_at: number | null;
}

/** Hot. */
export interface AuthorizationCodeTable {
  id: Uint8Array;
  verifier_hash: Uint8Array;
  grant_id: Uint8Array;
  client_record_id: number;
  redirect_uri: string | null;
  code_challenge: string | null;
  /** Space-delimited. */
  scopes: string;
  expires: number;
  creation_date: number;
  failures: number;
  used_at: number | null;
}

/** Hot. */
export interface RefreshTokenTable {
  id: Uint8Array;
  verifier_hash: Uint8Array;
  grant_id: Uint8Array;
  client_record_id: number;
  /** Space-delimited. */
  scopes: string;
  expires: number;
  line_expires: number;
  creation_date: number;
  /** Set together with the next two. */
  rotated_at: number | null;
  sealed_answer: string | null;
  successor_id: Uint8Array | null;
  /** How often it was handed out again, in answer to the token that it replaced. */
  repetitions: number;
  /** How many rotations in a row, before the one that made it, were repeated. */
  streak: number;
}

/** Hot. */
export interface LoginSessionTable extends OwnerColumns {
  id: Uint8Array;
  verifier_hash: Uint8Array;
  authenticator: string;
  authenticated_at: number;
  last_used: number;
  expires: number;
}

export interface ConsentTable {
  id: Generated<number>;
  client_record_id: number;
  authority: string;
  principal_name: string;
  redirect_uri: string;
  /** Space-delimited. */
  scopes: string;
  saved_at: number;
}

/** One row. */
export interface DigestKeyTable {
  id: number;
  /** 32 random bytes. */
  key: Uint8Array;
}

/** How many changes an owner has made since a moment. */
export interface OwnerChangeTable {
  authority: string;
  name: string;
  since: number;
  changes: number;
}

export interface SealingKeyTable {
  id: string;
  key: Uint8Array;
  creation_date: number;
}

export interface AccountTable {
  username: string;
  password_hash: string;
  display_name: string;
  /** JSON array of strings. */
  roles: string;
  /** JSON array of strings. */
  groups: string;
  admin_principal: number;
  disabled: number;
  creation_date: number;
}

/** Counts of failed logins. */
export interface LoginAttemptTable {
  key: string;
  failures: number;
  at: number;
  expires: number;
}

export interface OneTimeTable {
  key: string;
  value: string;
  expires: number;
  taken_at: Generated<number | null>;
}

export interface LoginSessionLinkTable {
  /** UUID in text form. */
  session_id: string;
  key: string;
  data: string;
  expires: number;
}

/** One row: what the nodes poll to learn of changes to the records they keep in memory. */
export interface ConfigurationTable {
  id: number;
  /** Counts the changes; a changed record carries the number of its change. */
  revision: number;
  /** A node that is behind this revision has missed the removal of a deleted record and reads all anew. */
  reaped_revision: number;
}

/** One row, which is written to find out whether anything can be. */
export interface WriteProofTable {
  id: number;
  filler: Uint8Array;
}
