// Tables of people and their logins, in addition to those of login sessions.

import type { CredentialKind, HostEffect, PersonLinkPurpose } from '@watchword/protocol';
import type { SearchColumns } from './search-columns.ts';

export interface AccountTable extends SearchColumns {
  username: string;
  /** Random, so that an account that is created again under the same name is another one. */
  id: string;
  /** Null until the user sets a password. */
  password_hash: string | null;
  display_name: string;
  email: string;
  /** JSON object of the other claims. */
  claims: string;
  /** JSON array of strings. */
  role_names: string;
  /** JSON array of strings. */
  group_names: string;
  admin_principal: number;
  disabled: number;
  creation_date: number;
  revision: number;
  /** 0 if the account was never enabled again. */
  enabled_revision: number;
  /** SHA-256 digest of the reset link; null when there is none. */
  reset_digest: Uint8Array | null;
  reset_expires: number | null;
  /** 1: an administrator has removed the second factor beside the password. */
  needs_long_password: number;
}

/** People of other identity providers who log in to a local account. */
export interface AccountLinkTable {
  account_id: string;
  authenticator: string;
  /** Of the person without the account. */
  subject: string;
  identity_provider: string;
  principal_name: string;
  creation_date: number;
  /** 0 if it was never used. */
  last_used: number;
}

/** Passkeys, apps for one-time codes, recovery codes and trusted browsers of people of any identity provider. */
export interface CredentialTable {
  id: string;
  subject: string;
  identity_provider: string;
  principal_name: string;
  kind: CredentialKind;
  credential_name: string;
  creation_date: number;
  /** 0 if it was never used. */
  last_used: number;
  /** The credential id of a passkey. */
  handle: string | null;
  use_counter: number;
  /** JSON. */
  credential_data: string;
}

/** Identity providers that administrators set up. */
export interface AuthenticatorTable {
  authenticator_name: string;
  kind: string;
  authenticator_label: string;
  enabled: number;
  /** JSON object of the fields of the kind. */
  settings: string;
  creation_date: number;
  modification_date: number;
  revision: number;
}

/** Names that authenticators have or had. No row is ever removed. */
export interface AuthenticatorNameTable {
  authenticator_name: string;
  /** `configuration` or `database`. */
  origin: string;
}

/** What administrators made of the pages. */
export interface BrandingTable {
  /** `shown`, or the id of a draft. */
  branding_id: string;
  /** JSON object. */
  settings: string;
  modification_date: number;
  revision: number;
}

/** Hosts of clients that documents describe. */
export interface ClientHostTable {
  host_pattern: string;
  effect: HostEffect;
  note: string;
  modification_date: number;
}

/** A configuration that manages resource servers and clients, as it was applied last. */
export interface AppliedConfigurationTable {
  configuration_name: string;
  record_count: number;
  applied_at: number;
  applied_by: string;
  /** 1 after the database was restored. */
  is_restored: number;
}

/** What a client that acts for itself can administer, and who gave it. */
export interface AdministrativeRightTable {
  client_record_id: number;
  right_name: string;
  identity_provider: string;
  principal_name: string;
  creation_date: number;
}

/** Counts of failed logins. */
export interface LoginAttemptTable {
  attempt_key: string;
  failures: number;
  counted_at: number;
  expires: number;
}

export interface OneTimeTable {
  one_time_key: string;
  stored_value: string;
  expires: number;
  redeemed_at: number | null;
}

export interface LoginSessionLinkTable {
  /** UUID in text form. */
  session_id: string;
  link_key: string;
  link_data: string;
  expires: number;
}

/** A link that was mailed to a person, and is neither redeemed nor ended. */
export interface PersonLinkTable {
  /** UUIDv7 in text form. */
  link_id: string;
  link_purpose: PersonLinkPurpose;
  digest: Uint8Array;
  /** Null as long as there is no account. */
  account_id: string | null;
  mailed_to: string;
  link_data: string;
  /** Number of codes that were typed in place of the link. */
  codes: number;
  creation_date: number;
  expires: number;
}

/** A mail that waits to be sent. */
export interface OutgoingMailTable {
  /** UUIDv7 in text form. */
  mail_id: string;
  mail_kind: string;
  /** The account of which it is of interest alone. */
  account_id: string | null;
  sealed_mail: string;
  creation_date: number;
  expires: number;
  attempts: number;
  next_attempt: number;
}

/** What a person did in a step of a login. */
export interface StepRecordTable {
  subject: string;
  step_name: string;
  step_version: string;
  done_at: number;
  /** 0 if it never expires. */
  expires: number;
  step_data: string | null;
  identity_provider: string;
  principal_name: string;
}

/** Hot. A client that learns of the end of a session, and after the end the delivery of its logout token. */
export interface SessionClientTable {
  session_id: Uint8Array;
  client_record_id: number;
  sid: string;
  id: Uint8Array;
  subject: string;
  expires: number;
  /** Null while the session has not ended. */
  ended_at: number | null;
  attempts: number;
  /** Null before the end of the session, and when the delivery has failed for good. */
  next_attempt: number | null;
  failure: string | null;
}
