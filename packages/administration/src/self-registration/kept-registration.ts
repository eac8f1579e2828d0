import { because, type Client, isObject, OAuthError, secretMatches, usesSecret } from '@watchword/protocol';

/** That an update names the client itself (RFC 7592 §2.2). @throws OAuthError `invalid_client_metadata` */
export function checkKeptIdentity(document: unknown, { clientId, secret }: Client, now: number): void {
  if (!isObject(document)) return;
  const { client_id: id, client_secret: given = null } = document;
  const problems = [
    ...(id === clientId ? [] : ['client_id: must be that of this client']),
    ...(given === null || (typeof given === 'string' && secretMatches(secret, given, now))
      ? []
      : ['client_secret: must be the current one, or left out: the server chooses it']),
  ];
  if (problems.length > 0) throw notKept(problems);
}

type Authenticating = Pick<Client, 'confidential' | 'tokenEndpointAuthMethod'>;

/**
 * A client that has proved itself by a secret or a key must not become one that anybody can pretend to be, and a secret comes with a
 * registration alone.
 *
 * @throws OAuthError `invalid_client_metadata`
 */
export function checkKeptMethod(fields: Authenticating, client: Authenticating): void {
  const kept = methodsOf(client);
  if (methodsOf(fields) === kept) return;
  throw notKept([`token_endpoint_auth_method: must stay ${kept}; register another client for another one`]);
}

function methodsOf(client: Authenticating): string {
  if (!client.confidential) return 'none';
  return usesSecret(client) ? 'client_secret_basic or client_secret_post' : 'private_key_jwt';
}

function notKept(problems: readonly string[]): OAuthError {
  const why = because('kept_registration', { problems });
  return new OAuthError('invalid_client_metadata', { ...why, violations: problems });
}
