import type { ErrorRuleName } from './rules/error-rules.ts';

/**
 * The table of protocol errors: every error that this server can answer, with its stable name.
 *
 * `error` is the code on the wire, `status` the HTTP status, `description` the default text for
 * `error_description` (RFC 6749 §5.2: ASCII without `"` and `\`), `redirectable` whether the
 * authorization endpoint can send it to the redirect URI of the client (RFC 6749 §4.1.2.1), `rule` the rule that the request
 * breaks if the error names no other.
 */
export const protocolErrors = {
  invalid_request: {
    error: 'invalid_request',
    status: 400,
    description: 'The request lacks a required parameter, repeats one or is otherwise malformed.',
    redirectable: true,
    rule: 'well_formed_request',
  },
  invalid_client: {
    error: 'invalid_client',
    status: 401,
    description: 'Client authentication failed.',
    redirectable: false,
    rule: 'client_credentials',
  },
  invalid_grant: {
    error: 'invalid_grant',
    status: 400,
    description: 'The grant is invalid, expired, revoked or was issued to another client.',
    redirectable: false,
    rule: 'known_code',
  },
  invalid_dpop_proof: {
    error: 'invalid_dpop_proof',
    status: 400,
    description: 'The DPoP proof is not valid.',
    redirectable: false,
    rule: 'valid_proof',
  },
  use_dpop_nonce: {
    error: 'use_dpop_nonce',
    status: 400,
    description: 'The DPoP proof needs the nonce of this answer.',
    redirectable: false,
    rule: 'proof_nonce',
  },
  unauthorized_client: {
    error: 'unauthorized_client',
    status: 400,
    description: 'The client may not use this grant type.',
    redirectable: true,
    rule: 'allowed_grant_type',
  },
  unsupported_grant_type: {
    error: 'unsupported_grant_type',
    status: 400,
    description: 'The server does not support this grant type.',
    redirectable: false,
    rule: 'supported_grant_type',
  },
  unsupported_response_type: {
    error: 'unsupported_response_type',
    status: 400,
    description: 'The server does not support this response type.',
    redirectable: true,
    rule: 'supported_response_type',
  },
  invalid_redirect_uri: {
    error: 'invalid_redirect_uri',
    status: 400,
    description: 'The registration has a redirect URI that cannot be used, or none.',
    redirectable: false,
    rule: 'registered_redirect_uris',
  },
  invalid_client_metadata: {
    error: 'invalid_client_metadata',
    status: 400,
    description: 'The registration has a member that cannot be used.',
    redirectable: false,
    rule: 'registered_metadata',
  },
  invalid_target: {
    error: 'invalid_target',
    status: 400,
    description: 'The client may not use the requested resource.',
    redirectable: true,
    rule: 'usable_resource',
  },
  access_denied: {
    error: 'access_denied',
    status: 403,
    description: 'The resource owner or the server denied the request.',
    redirectable: true,
    rule: 'permitted_user',
  },
  login_required: {
    error: 'login_required',
    status: 400,
    description: 'The resource owner has to log in, and prompt=none forbids asking.',
    redirectable: true,
    rule: 'user_login',
  },
  interaction_required: {
    error: 'interaction_required',
    status: 400,
    description: 'The user must do something before the answer, and prompt=none forbids asking.',
    redirectable: true,
    rule: 'passed_steps',
  },
  consent_required: {
    error: 'consent_required',
    status: 400,
    description: 'The resource owner has to consent, and prompt=none forbids asking.',
    redirectable: true,
    rule: 'user_consent',
  },
  unmet_authentication_requirements: {
    error: 'unmet_authentication_requirements',
    status: 400,
    description: 'The login does not have the authentication context that the client requires.',
    redirectable: true,
    rule: 'required_context',
  },
  invalid_request_object: {
    error: 'invalid_request_object',
    status: 400,
    description: 'The request object is not valid.',
    redirectable: true,
    rule: 'request_object_form',
  },
  invalid_request_uri: {
    error: 'invalid_request_uri',
    status: 400,
    description: 'The request_uri does not lead to a valid authorization request.',
    redirectable: true,
    rule: 'pushed_request_uri',
  },
  request_not_supported: {
    error: 'request_not_supported',
    status: 400,
    description: 'The server does not support request objects; send the parameters themselves.',
    redirectable: true,
    rule: 'plain_parameters',
  },
  request_uri_not_supported: {
    error: 'request_uri_not_supported',
    status: 400,
    description: 'The server does not support request_uri; send the parameters themselves.',
    redirectable: true,
    rule: 'plain_parameters',
  },
  registration_not_supported: {
    error: 'registration_not_supported',
    status: 400,
    description: 'The server does not support the parameter registration; register the client first.',
    redirectable: true,
    rule: 'plain_parameters',
  },
  invalid_auth_state: {
    error: 'invalid_request',
    status: 400,
    description:
      'The page is too old, was changed or belongs to another browser; start again from the application.',
    redirectable: false,
    rule: 'valid_page',
  },
  unbound_submission: {
    error: 'invalid_request',
    status: 403,
    description:
      'The form did not come from a page of this server in this browser, or cookies are switched off.',
    redirectable: false,
    rule: 'page_cookie',
  },
  invalid_reset_link: {
    error: 'invalid_request',
    status: 400,
    description:
      'The link to set a password is not valid: it was used or replaced, it is older than an hour, or the account has changed.',
    redirectable: false,
    rule: 'reset_link',
  },
  ambiguous_cookies: {
    error: 'invalid_request',
    status: 400,
    description:
      'Two different cookies of one name came, so one of them is not from this server; delete the cookies of this site.',
    redirectable: false,
    rule: 'one_cookie',
  },
  invalid_scope: {
    error: 'invalid_scope',
    status: 400,
    description: 'The requested scope is malformed or is not one that the client may be given.',
    redirectable: true,
    rule: 'available_scope',
  },
  token_not_found: {
    error: 'not_found',
    status: 404,
    description: 'There is no such token.',
    redirectable: false,
    rule: 'known_token',
  },
  token_expired: {
    error: 'token_expired',
    status: 410,
    description: 'The token has expired.',
    redirectable: false,
    rule: 'token_lifetime',
  },
  missing_token: {
    error: 'missing_token',
    status: 401,
    description: 'This needs an access token in the Authorization header, after Bearer.',
    redirectable: false,
    rule: 'bearer_token',
  },
  invalid_token: {
    error: 'invalid_token',
    status: 401,
    description: 'This needs an access token that is valid here, in the Authorization header.',
    redirectable: false,
    rule: 'valid_bearer_token',
  },
  invalid_token_proof: {
    error: 'invalid_dpop_proof',
    status: 401,
    description: 'The DPoP proof beside the access token is not valid.',
    redirectable: false,
    rule: 'valid_proof',
  },
  use_token_nonce: {
    error: 'use_dpop_nonce',
    status: 401,
    description: 'The DPoP proof beside the access token needs the nonce of this answer.',
    redirectable: false,
    rule: 'proof_nonce',
  },
  insufficient_user_authentication: {
    error: 'insufficient_user_authentication',
    status: 401,
    description: 'The action needs a more recent login.',
    redirectable: false,
    rule: 'fresh_login',
  },
  insufficient_scope: {
    error: 'insufficient_scope',
    status: 403,
    description: 'The access token lacks a scope that this needs.',
    redirectable: false,
    rule: 'sufficient_scope',
  },
  precondition_failed: {
    error: 'precondition_failed',
    status: 412,
    description: 'The record has changed since it was read; read it again.',
    redirectable: false,
    rule: 'current_record',
  },
  not_found: {
    error: 'not_found',
    status: 404,
    description: 'There is nothing at this address.',
    redirectable: false,
    rule: 'known_record',
  },
  unknown_address: {
    error: 'unknown_address',
    status: 404,
    description: 'No endpoint of this server has this address.',
    redirectable: false,
    rule: 'known_address',
  },
  conflict: {
    error: 'conflict',
    status: 409,
    description: 'The record contradicts one that exists.',
    redirectable: false,
    rule: 'consistent_records',
  },
  managed_record: {
    error: 'managed_record',
    status: 409,
    description: 'A configuration manages this record, and alone changes it.',
    redirectable: false,
    rule: 'managed_record',
  },
  method_not_allowed: {
    error: 'invalid_request',
    status: 405,
    description: 'This address does not answer that HTTP method; the Allow header names those it does.',
    redirectable: false,
    rule: 'http_method',
  },
  request_timeout: {
    error: 'invalid_request',
    status: 408,
    description: 'The request did not arrive in time.',
    redirectable: false,
    rule: 'http_request',
  },
  body_too_large: {
    error: 'invalid_request',
    status: 413,
    description: 'The request body is larger than this server accepts.',
    redirectable: false,
    rule: 'http_request',
  },
  uri_too_long: {
    error: 'invalid_request',
    status: 414,
    description: 'The request URI is longer than this server accepts.',
    redirectable: false,
    rule: 'http_request',
  },
  unsupported_media_type: {
    error: 'invalid_request',
    status: 415,
    description: 'The body must be application/x-www-form-urlencoded in UTF-8.',
    redirectable: false,
    rule: 'media_type',
  },
  misdirected_request: {
    error: 'invalid_request',
    status: 421,
    description:
      'The request is for another host. This server answers for loopback hosts and that of its base URL. To use it under this host, set baseUrl to it, or name it in allowedHosts.',
    redirectable: false,
    rule: 'own_host',
  },
  too_many_requests: {
    error: 'too_many_requests',
    status: 429,
    description: 'There were too many failed attempts. Retry-After has the seconds to wait.',
    redirectable: false,
    rule: 'few_failures',
  },
  too_many_changes: {
    error: 'too_many_requests',
    status: 429,
    description: 'There were too many changes in a minute. Retry-After has the seconds to wait.',
    redirectable: false,
    rule: 'owner_limits',
  },
  too_many_records: {
    error: 'too_many_records',
    status: 409,
    description: 'You have as many records as one owner may have.',
    redirectable: false,
    rule: 'owner_limits',
  },
  header_fields_too_large: {
    error: 'invalid_request',
    status: 431,
    description: 'The request headers are larger or more than this server accepts.',
    redirectable: false,
    rule: 'http_request',
  },
  server_error: {
    error: 'server_error',
    status: 500,
    description: 'The server met an unexpected condition; its log has the cause.',
    redirectable: true,
    rule: 'working_server',
  },
  store_damaged: {
    error: 'server_error',
    status: 500,
    description: 'The data that this request needs is damaged; the operator of the server must restore it.',
    redirectable: true,
    rule: 'intact_database',
  },
  module_failed: {
    error: 'server_error',
    status: 500,
    description: 'A module of the server failed; the log of the server names it.',
    redirectable: false,
    rule: 'working_module',
  },
  module_timed_out: {
    error: 'temporarily_unavailable',
    status: 503,
    description: 'A module of the server did not answer in time; the log of the server names it.',
    redirectable: false,
    rule: 'working_module',
  },
  temporarily_unavailable: {
    error: 'temporarily_unavailable',
    status: 503,
    description: 'The server cannot handle the request right now; try again shortly.',
    redirectable: true,
    rule: 'available_server',
  },
} as const satisfies Record<string, ProtocolErrorEntry>;

export interface ProtocolErrorEntry {
  readonly error: string;
  readonly status: number;
  readonly description: string;
  readonly redirectable: boolean;
  readonly rule: ErrorRuleName;
}

/** The stable name of a row of {@link protocolErrors}. */
export type ProtocolErrorName = keyof typeof protocolErrors;

/** The names of the rows that are `redirectable`. */
export type RedirectableErrorName = {
  [Name in ProtocolErrorName]: (typeof protocolErrors)[Name]['redirectable'] extends true ? Name : never;
}[ProtocolErrorName];
