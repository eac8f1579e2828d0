export interface ClientCredentials {
  /** Base URL of the authorization server. */
  readonly issuer: string;
  readonly clientId: string;
  readonly secret: string;
}

/**
 * Gets an access token for the client itself, with no person involved (RFC 6749 section 4.4). There is no refresh
 * token: who needs another access token asks again.
 */
export async function requestAccessToken(
  { issuer, clientId, secret }: ClientCredentials,
  scope: string,
): Promise<string> {
  const response = await fetch(`${issuer}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: basic(clientId, secret) },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope }),
  });
  const answer = (await response.json()) as { access_token: string; error_description?: string };
  if (response.ok) return answer.access_token;
  throw new Error(`The authorization server answers ${response.status}: ${answer.error_description}`);
}

/** HTTP Basic; RFC 6749 section 2.3.1 asks for the encoding of forms before that of Basic. */
function basic(clientId: string, secret: string): string {
  const encode = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(secret)}`).toString('base64')}`;
}
