import {
  type AuthorizationRequest,
  type Client,
  describedScopes,
  displayName,
  type ResourceOwner,
  type ResourceServer,
  type ScopeDescription,
  type Scopes,
} from '@watchword/protocol';

/** A client as pages show it. */
export function shownClient({ clientName, description, thumbNailUrl }: Client) {
  return { name: clientName, description, picture: thumbNailUrl };
}

/** A resource owner as pages show them. */
export function shownOwner({ principal }: ResourceOwner) {
  return { name: principal.name, displayName: displayName(principal) };
}

/** The client that requests a login, and its resource server; `undefined` if the user opens the own account page. */
export function shownAsking(request: AuthorizationRequest | undefined) {
  return {
    client: request && shownClient(request.client),
    resourceServer: request && { name: request.resourceServer.name },
  };
}

/** What every page on the way of a request needs of it. */
export function shownFor(request: AuthorizationRequest | undefined) {
  if (request === undefined) return {};
  return { redirectUri: request.target.redirectUri, languages: request.uiLocales ?? [] };
}

/** Scopes with what the resource server says of them. */
export function shownScopes(
  scopes: Scopes,
  { scopeDescriptions }: ResourceServer,
): readonly ScopeDescription[] {
  return describedScopes(scopes, scopeDescriptions);
}
