/** Errors of the server in a few words. */
const texts: Readonly<Record<string, string>> = {
  invalid_client: 'client not recognized',
  invalid_grant: 'code or refresh token not valid',
  invalid_request: 'malformed request',
  invalid_scope: 'scope not allowed',
  invalid_token: 'access token not valid',
  missing_token: 'no access token',
  insufficient_scope: 'access token lacks a scope',
  unauthorized_client: 'client may not use this grant',
  unsupported_grant_type: 'unknown grant type',
  unsupported_response_type: 'unknown response type',
  access_denied: 'denied by the person',
  login_required: 'login needed',
  consent_required: 'consent needed',
  invalid_resource_server: 'resource server not recognized',
  token_expired: 'token had expired',
  token_not_found: 'token unknown or revoked',
  not_found: 'nothing at this address',
  method_not_allowed: 'wrong method',
  too_many_requests: 'too many failed attempts',
  too_many_changes: 'too many changes in a minute',
  too_many_records: 'too many records of one owner',
  temporarily_unavailable: 'database not available',
  server_error: 'error of the server',
};

export function errorText(reason: string): string {
  return texts[reason] ?? reason.replaceAll('_', ' ');
}
