import { OAuthError } from '../../model/errors/errors.ts';
import { because } from '../../model/errors/rules/error-rules.ts';
import type { Client } from '../../model/records/client.ts';
import { repeatedParameter } from '../../rules/parameters.ts';
import type { ProfileChecks } from '../../rules/profile-checks.ts';
import { type AuthorizationParameters, firstValue, isRepeated } from '../parameters.ts';
import type { ResponseType } from '../response-types/response-type.ts';
import { atRedirectUri } from '../targets/at-redirect-uri.ts';

/** The redirect URI of the response (RFC 6749 §3.1.2.3), or an error for the resource owner (§3.1.2.4). */
export function requestedRedirectUri(
  parameters: AuthorizationParameters,
  client: Client,
  responseType: ResponseType | undefined,
  profile: ProfileChecks | undefined,
): string | OAuthError {
  if (isRepeated(parameters, 'redirect_uri')) return repeatedParameter('redirect_uri');
  const named = firstValue(parameters, 'redirect_uri');
  const refused = profile && refusedRegistered(named, client, profile);
  if (refused !== undefined) return refused;
  if (named === undefined) return onlyRedirectUri(client, responseType);
  if (atRedirectUri.isAllowedFor(named, client)) return named;
  const facts = { named, registered: client.redirectUris };
  return new OAuthError('invalid_request', because('registered_redirect_uri', facts));
}

function onlyRedirectUri(client: Client, responseType: ResponseType | undefined): string | OAuthError {
  if (responseType?.mayOmitRedirectUri === false) {
    const facts = { responseType: responseType.name };
    return new OAuthError('invalid_request', because('named_redirect_uri', facts));
  }
  const only = atRedirectUri.registered(client);
  if (only !== undefined && atRedirectUri.isAllowedFor(only, client)) return only;
  const facts = { registered: client.redirectUris };
  return new OAuthError('invalid_request', because('named_redirect_uri', facts));
}

/** The error for a redirect URI that the client registered before the profile of the server refused it. */
function refusedRegistered(
  named: string | undefined,
  client: Client,
  profile: ProfileChecks,
): OAuthError | undefined {
  const uri = named ?? atRedirectUri.registered(client);
  return uri !== undefined && client.redirectUris.includes(uri)
    ? profile.refusal('redirectUri', uri)
    : undefined;
}
