import type {
  AuditEventTable,
  ClientSecretUseTable,
  IssuedByHourTable,
  IssuedToClientTable,
  LoginEventTable,
  OwnerChangeTable,
  RequestErrorTable,
} from './history-tables.ts';
import type { DigestKeyTable, SealingKeyTable, SigningKeyTable, SubjectKeyTable } from './key-tables.ts';
import type {
  AccountLinkTable,
  AccountTable,
  AdministrativeRightTable,
  AppliedConfigurationTable,
  AuthenticatorNameTable,
  AuthenticatorTable,
  BrandingTable,
  ClientHostTable,
  CredentialTable,
  LoginAttemptTable,
  LoginSessionLinkTable,
  OneTimeTable,
  OutgoingMailTable,
  PersonLinkTable,
  SessionClientTable,
  StepRecordTable,
} from './people-tables.ts';
import type { ClientRegistrationTable, InitialTokenTable } from './registration-tables.ts';
import type { SearchColumns } from './search-columns.ts';
import type {
  HeartbeatTable,
  InstallationDefaultTable,
  LeaseTable,
  NumberSequenceTable,
  OutboxMessageTable,
  RegistryRevisionTable,
  SchemaRequirementTable,
  WriteProofTable,
} from './work-tables.ts';

/** The tables, as the migrations make them. Timestamps are epoch milliseconds, flags 1 or 0. */
export interface Schema {
  resource_server: ResourceServerTable;
  client: ClientTable;
  access_token: AccessTokenTable;
  authorization_grant: GrantTable;
  authorization_code: AuthorizationCodeTable;
  refresh_token: RefreshTokenTable;
  revoked_token: RevokedTokenTable;
  login_session: LoginSessionTable;
  consent: ConsentTable;
  sealing_key: SealingKeyTable;
  signing_key: SigningKeyTable;
  one_time: OneTimeTable;
  login_session_link: LoginSessionLinkTable;
  step_record: StepRecordTable;
  person_link: PersonLinkTable;
  outgoing_mail: OutgoingMailTable;
  session_client: SessionClientTable;
  account: AccountTable;
  account_link: AccountLinkTable;
  credential: CredentialTable;
  authenticator: AuthenticatorTable;
  authenticator_name: AuthenticatorNameTable;
  branding: BrandingTable;
  client_host: ClientHostTable;
  applied_configuration: AppliedConfigurationTable;
  administrative_right: AdministrativeRightTable;
  client_registration: ClientRegistrationTable;
  client_secret_use: ClientSecretUseTable;
  initial_token: InitialTokenTable;
  login_attempt: LoginAttemptTable;
  audit_event: AuditEventTable;
  login_event: LoginEventTable;
  digest_key: DigestKeyTable;
  issued_by_hour: IssuedByHourTable;
  issued_to_client: IssuedToClientTable;
  owner_change: OwnerChangeTable;
  request_error: RequestErrorTable;
  registry_revision: RegistryRevisionTable;
  installation_default: InstallationDefaultTable;
  number_sequence: NumberSequenceTable;
  subject_key: SubjectKeyTable;
  schema_requirement: SchemaRequirementTable;
  heartbeat: HeartbeatTable;
  write_proof: WriteProofTable;
  lease: LeaseTable;
  outbox_message: OutboxMessageTable;
}

/** Columns of a record that every node keeps in memory. Fields without a query are in `metadata`. */
interface RegisteredRecord {
  id: number;
  /** JSON object of all fields that have no column. */
  metadata: string;
  creation_date: number;
  /** The registry revision of its last change. */
  revision: number;
  /** Set on deletion. The purge removes the row later, when every node has read the deletion. */
  deleted_at: number | null;
}

/** The configuration that manages a record, and the digest of the record as it left it; null if none does. */
export interface ManagedColumns {
  managed_by: string | null;
  applied_digest: string | null;
}

interface SecretColumns {
  previous_secret_hash: Uint8Array | null;
  previous_secret_valid_until: number;
}

export interface ResourceServerTable extends RegisteredRecord, ManagedColumns, SecretColumns, SearchColumns {
  server_key: string;
  secret_hash: Uint8Array;
  server_name: string;
  /** Space-delimited. */
  scopes: string;
  owner_identity_provider: string;
  owner_name: string;
}

export interface ClientTable extends RegisteredRecord, ManagedColumns, SecretColumns, SearchColumns {
  client_id: string;
  secret_hash: Uint8Array | null;
  /** Null where it is not known, or there is no secret. */
  secret_created: number | null;
  /** JSON of all secrets, the newest first; null if nobody has replaced or changed the only one. */
  secrets: string | null;
  client_name: string;
  resource_server_id: number;
  /** Space-delimited. */
  scopes: string;
  skip_consent: number;
  is_trusted: number;
  keeps_user_data: number;
  tokens_valid_from: number;
  /** JSON of the other resource servers that it can use, and could until a moment ago; null if there are none. */
  other_servers: string | null;
}

/** Hot. One unique key and no foreign key, so that the rows can be distributed by its hash. */
export interface AccessTokenTable {
  id: Uint8Array;
  verifier_hash: Uint8Array;
  client_record_id: number;
  /** Space-delimited. */
  scopes: string;
  expires: number;
  creation_date: number;
  /** Null for a token of the client credentials grant. */
  grant_id: Uint8Array | null;
  /** JSON of the key that the token is bound to; null for a bearer token. */
  confirmation: string | null;
  /** Divides the index by client ({@link TokenSegments}). 0: stored by a release before segments, or on an engine with shards. */
  segment: number;
}

/** The resource owner. Users of the same name at two identity providers are two. */
interface OwnerColumns {
  identity_provider: string;
  principal_name: string;
  /** JSON of the principal, its name included. Empty members are left out. */
  principal: string;
  /** Identifies the owner to clients and resource servers. */
  subject: string;
  /** JSON of the authentication event, without members that are other columns of the row. */
  authentication: string;
}

/** Hot, as are the codes and tokens issued under it. When the grant is revoked, so are they. */
export interface GrantTable extends OwnerColumns {
  id: Uint8Array;
  client_record_id: number;
  /** Space-delimited. */
  scopes: string;
  /** JSON of the claims that were requested by name; null when none was. */
  claims: string | null;
  creation_date: number;
  last_used: number;
  /** No code or token of the grant expires later; 0 = one of them never expires. It never decreases. */
  expires: number;
  revoked_at: number | null;
  /** When it has ended last at one of several resource servers. */
  part_ended_at?: number | null;
}

/** Hot. */
export interface AuthorizationCodeTable {
  id: Uint8Array;
  verifier_hash: Uint8Array;
  client_record_id: number;
  /** Space-delimited. */
  scopes: string;
  expires: number;
  creation_date: number;
  /** Null in an answer to a consent page without a code. */
  grant_id: Uint8Array | null;
  redirect_uri: string | null;
  code_challenge: string | null;
  /** Of OpenID Connect; null when the authorization request had none. */
  nonce: string | null;
  /** Thumbprint of the key that the authorization request names; null when it names none. */
  dpop_jkt: string | null;
  failures: number;
  redeemed_at: number | null;
}

/** Hot. */
export interface RefreshTokenTable {
  id: Uint8Array;
  verifier_hash: Uint8Array;
  client_record_id: number;
  /** Space-delimited. */
  scopes: string;
  expires: number;
  creation_date: number;
  grant_id: Uint8Array;
  /** The end of the token family. */
  absolute_expires: number;
  /** JSON of the key that the token is bound to; null if it is bound to none. */
  confirmation: string | null;
  /** Set together with the next two columns. */
  rotated_at: number | null;
  /** Empty after the grace. */
  sealed_answer: string | null;
  successor_id: Uint8Array | null;
  /** Number of times that the server returned this token again for the token that it replaced. */
  repetitions: number;
  /** Number of repeated rotations in a row before the rotation that issued this token. */
  streak: number;
}

/** Hot. JWT access tokens that were revoked alone. They have no other row. */
export interface RevokedTokenTable {
  id: Uint8Array;
  client_record_id: number;
  expires: number;
  revoked_at: number;
  /** Record ids, separated by commas: only at these resource servers. */
  ended_at_servers: string | null;
}

/** Hot. */
export interface LoginSessionTable extends OwnerColumns {
  id: Uint8Array;
  verifier_hash: Uint8Array;
  authenticator: string;
  creation_date: number;
  last_used: number;
  expires: number;
  /** How often access of the owner has ended since the login, see `end-access.ts`. */
  ends: number;
  source_address: string;
  /** Words, see `deviceOf`. */
  device: string;
}

export interface ConsentTable {
  client_record_id: number;
  identity_provider: string;
  principal_name: string;
  redirect_uri: string;
  /** Subject of the owner. The consent is not valid for another owner with the same name. */
  subject: string;
  /** Space-delimited. */
  scopes: string;
  saved_at: number;
  /** The grant with which the consent was given: of the same client, owner and subject. */
  grant_id: Uint8Array;
  /** 1 from before the row of the grant is removed; 0 while the consent is found by its grant. */
  grant_removed: number;
}
