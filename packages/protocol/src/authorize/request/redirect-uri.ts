import type { Client } from '../../model/client.ts';
import { OAuthError } from '../../model/errors.ts';
import { withHidden } from '../../model/hidden-characters.ts';
import { administrationClientId } from '../../rules/built-in-records.ts';
import { repeatedParameter } from '../../rules/parameters.ts';
import { listed, quotedUrl } from '../../rules/quoted.ts';
import { isRegisteredRedirectUri } from '../../rules/redirect-uri.ts';
import { type AuthorizationParameters, firstValue, isRepeated } from '../parameters.ts';
import type { ResponseType } from '../response-types/response-type.ts';

/** The redirect URI of the response (RFC 6749 §3.1.2.3), or an error for the resource owner (§3.1.2.4). */
export function requestedRedirectUri(
  parameters: AuthorizationParameters,
  client: Client,
  responseType: ResponseType | undefined,
): string | OAuthError {
  if (isRepeated(parameters, 'redirect_uri')) return repeatedParameter('redirect_uri');
  const named = firstValue(parameters, 'redirect_uri');
  if (named === undefined) return onlyRedirectUri(client, responseType);
  if (isAllowedRedirectUri(client, named)) return named;
  return new OAuthError('invalid_request', {
    description: withHidden(
      'The redirect_uri is not one that the client has registered; it is compared character by character, and only the port may differ where a native application registered http://127.0.0.1, http://[::1] or http://localhost.',
      named,
    ),
    reason: `The request has redirect_uri ${quotedUrl(named)}, which is not registered. Registered: ${listed(client.redirectUris)}.`,
    rule: 'registered_redirect_uri',
    expected: listed(client.redirectUris),
    came: quotedUrl(named),
  });
}

function onlyRedirectUri(client: Client, responseType: ResponseType | undefined): string | OAuthError {
  if (responseType?.mayOmitRedirectUri === false) {
    return new OAuthError('invalid_request', {
      description: `The parameter redirect_uri is missing; response_type=${responseType.name} needs it.`,
      rule: 'named_redirect_uri',
    });
  }
  const [only, ...others] = client.redirectUris;
  if (only !== undefined && others.length === 0 && isAllowedRedirectUri(client, only)) return only;
  return new OAuthError('invalid_request', {
    description:
      'The parameter redirect_uri is missing; only a client with exactly one registered can leave it out.',
    reason: `The request has no redirect_uri, and the client has not exactly one. Registered: ${listed(client.redirectUris)}.`,
    rule: 'named_redirect_uri',
    expected: listed(client.redirectUris),
    came: 'no redirect_uri',
  });
}

/**
 * Whether a response for the client can go to that redirect URI. The administration pages are no native application: on
 * another port of this machine another user could listen, and would get the token of an administrator.
 */
export function isAllowedRedirectUri({ clientId, redirectUris }: Client, uri: string): boolean {
  const isExact = redirectUris.includes(uri);
  return isRegisteredRedirectUri(uri, redirectUris) && (isExact || clientId !== administrationClientId);
}
