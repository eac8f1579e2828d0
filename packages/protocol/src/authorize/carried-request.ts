import type { Registry } from '../ports/registry.ts';
import { noLongerRegistered } from './parties.ts';
import type { AuthorizationRequest } from './request.ts';

/** A request as it travels in a sealed state. */
export type CarriedRequest = Omit<AuthorizationRequest, 'redirectUri' | 'scopes' | 'state'> &
  Partial<Pick<AuthorizationRequest, 'redirectUri' | 'scopes'>>;

/**
 * Parts a request from the client's `state`, which JSON would make up to six times as long.
 *
 * @param isBrief without what the request did not say, but the registration of the client
 */
export function carry(
  request: AuthorizationRequest | undefined,
  isBrief: boolean,
): [carried: CarriedRequest | undefined, clientState: string] {
  if (request === undefined) return [undefined, ''];
  const { redirectUri, scopes, state = '', ...rest } = request;
  const carried = {
    ...rest,
    ...((rest.namesRedirectUri || !isBrief) && { redirectUri }),
    ...((rest.namesScopes || !isBrief) && { scopes }),
  };
  return [carried, state];
}

/** The request as it was, and where it said nothing, as the client is registered now. @throws OAuthError `invalid_request` */
export function carriedRequest(
  carried: CarriedRequest,
  clientState: string,
  registry: Registry,
): AuthorizationRequest {
  const client = registry.clientById(carried.clientRecordId);
  const [only, ...others] = client?.redirectUris ?? [];
  const redirectUri = carried.redirectUri ?? (others.length === 0 ? only : undefined);
  if (client === undefined || redirectUri === undefined) throw noLongerRegistered();
  return {
    ...carried,
    redirectUri,
    scopes: carried.scopes ?? client.scopes,
    ...(clientState !== '' && { state: clientState }),
  };
}
