/** The columns of the hot tables that an insert fills; the others are null or have a constant as the first value. */

const issued = {
  id: 'id',
  verifier_hash: 'bytes',
  client_record_id: 'number',
  scopes: 'text',
  expires: 'number',
  creation_date: 'number',
} as const;

export const accessTokenColumns = {
  ...issued,
  grant_id: 'id?',
  confirmation: 'text?',
  segment: 'number',
} as const;

export const authorizationCodeColumns = {
  ...issued,
  grant_id: 'id',
  redirect_uri: 'text?',
  code_challenge: 'text?',
  nonce: 'text?',
  dpop_jkt: 'text?',
} as const;

export const refreshTokenColumns = {
  ...issued,
  grant_id: 'id',
  absolute_expires: 'number',
  confirmation: 'text?',
} as const;

export const revokedTokenColumns = {
  id: 'id',
  client_record_id: 'number',
  expires: 'number',
  revoked_at: 'number',
  ended_at_servers: 'text?',
} as const;

/** The resource owner, in grants and login sessions. */
export const ownerColumns = {
  identity_provider: 'text',
  principal_name: 'text',
  principal: 'text',
  subject: 'text',
} as const;

export const grantColumns = {
  id: 'id',
  client_record_id: 'number',
  ...ownerColumns,
  authentication: 'text',
  scopes: 'text',
  claims: 'text?',
  creation_date: 'number',
  last_used: 'number',
  expires: 'number',
} as const;

export const loginSessionColumns = {
  id: 'id',
  verifier_hash: 'bytes',
  authenticator: 'text',
  ...ownerColumns,
  authentication: 'text',
  creation_date: 'number',
  last_used: 'number',
  expires: 'number',
  ends: 'number',
  source_address: 'text',
  device: 'text',
} as const;

/** A client of a session that has not ended; a delivery fills the other columns. */
export const sessionClientColumns = {
  session_id: 'id',
  client_record_id: 'number',
  sid: 'text',
  id: 'id',
  subject: 'text',
  expires: 'number',
} as const;

/** Its primary key. */
export const sessionClientKey = ['session_id', 'client_record_id', 'sid'] as const;

export const loginEventColumns = {
  id: 'id',
  occurred_at: 'number',
  event_action: 'text',
  client_id: 'text?',
  client_name: 'text?',
  source_address: 'text',
  record_type: 'text',
  record_id: 'text',
  record_name: 'text',
  state_after: 'text?',
  identity_provider: 'text',
  principal_name: 'text',
} as const;

/** The primary key of consents. */
export const consentKey = [
  'client_record_id',
  'identity_provider',
  'principal_name',
  'redirect_uri',
] as const;

export const consentColumns = {
  client_record_id: 'number',
  identity_provider: 'text',
  principal_name: 'text',
  redirect_uri: 'text',
  subject: 'text',
  scopes: 'text',
  saved_at: 'number',
  grant_id: 'id',
} as const;

export const oneTimeColumns = { one_time_key: 'text', stored_value: 'text', expires: 'number' } as const;

export const loginAttemptColumns = {
  attempt_key: 'text',
  failures: 'real',
  counted_at: 'number',
  expires: 'number',
} as const;
