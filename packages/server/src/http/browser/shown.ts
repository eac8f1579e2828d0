import {
  type AuthorizationRequest,
  type Client,
  destinationOf,
  displayName,
  documentHost,
  homeTarget,
  isDocumentClient,
  isHomeOfOpenClients,
  isLoopbackHost,
  isOwnPage,
  type ListedAccess,
  memberOf,
  type ResourceOwner,
  type ResourceServer,
  type Scopes,
  splitScopes,
  type TargetServer,
} from '@watchword/protocol';
import type { DescribedScope, NamedResourceServer } from '../../pages/model/form-page.ts';
import type { ShownDocument, ShownUnconfirmed } from '../../pages/model/page.ts';

/** What pages say of a client that no administrator confirmed; `undefined` for any other. The owner of a resource server registers its clients. */
export function shownUnconfirmed({
  client,
  resourceServer,
  target,
}: AuthorizationRequest): ShownUnconfirmed | undefined {
  if (client.trusted) return undefined;
  const { owner, ownerAuthority } = resourceServer;
  return {
    host: destinationOf(target).host,
    owner,
    identityProvider: ownerAuthority,
    ...(isHomeOfOpenClients(resourceServer) && {
      isLocal: isLoopbackHost(URL.parse(target.address)?.hostname ?? ''),
      ...(isDocumentClient(client, resourceServer)
        ? { document: shownDocument(client) }
        : { isSelfRegistered: true }),
    }),
  };
}

function shownDocument(client: Client): ShownDocument {
  return { host: documentHost(client), url: client.clientId };
}

/** A client as pages show it. */
export function shownClient({ clientName, description, thumbNailUrl }: Client) {
  return { name: clientName, description, picture: thumbNailUrl };
}

/** Pages of the client to which a page can link: those that an administrator has confirmed, or that are where its users go anyway. */
export function shownLinks({ trusted, redirectUris, policyUri, tosUri }: Client) {
  const shown = (uri: string) => (trusted || isOwnPage(uri, redirectUris) ? uri : '');
  return { policyUrl: shown(policyUri), termsUrl: shown(tosUri) };
}

/** A resource owner as pages show them. */
export function shownOwner({ principal }: ResourceOwner) {
  return { name: principal.name, displayName: displayName(principal) };
}

/** A resource server as pages name it. @param asked its URIs that the client named */
export function shownServer(
  { key, name, resources }: Pick<ResourceServer, 'key' | 'name' | 'resources'>,
  asked: readonly string[] = [],
): NamedResourceServer {
  const [uri] = [...asked, ...resources];
  return { key, name, host: uri && new URL(uri).host };
}

/** Whether scopes have nothing to do with the resource server: the client only logs the user in. */
export function isLoginOnly(scopes: Scopes, resourceServer: ResourceServer): boolean {
  const { openid, ofResourceServer } = splitScopes(scopes, resourceServer);
  return openid.length > 0 && ofResourceServer.length === 0;
}

/**
 * The client that requests a login, and the resource servers that it wants to use, if it wants to use any; `undefined` if the user
 * opens the own account page.
 */
function shownAsking(request: AuthorizationRequest | undefined) {
  return {
    client: request && shownClient(request.client),
    unconfirmed: request && shownUnconfirmed(request),
    resourceServers:
      request && !isLoginOnly(request.scopes, request.resourceServer)
        ? request.targets.map(({ resourceServer, resources }) => shownServer(resourceServer, resources))
        : undefined,
  };
}

/** Where people make accounts by themselves. A login page posts its `auth_state`, so that its request goes on afterwards. */
export const signUpPath = '/account/sign-up';

/** Where people go who have forgotten the password of a local account. */
export const forgottenPath = '/account/forgotten-password';

/** The addresses to which the pages of each stage post `auth_state` to cancel. */
export const cancelPaths = {
  login: '/login/cancel',
  step: '/login/step/cancel',
  select: '/select/cancel',
  signUp: `${signUpPath}/cancel`,
} as const;

/** The addresses to which pages beside a login post `auth_state` to log in instead. */
export const loginPaths = { signUp: `${signUpPath}/login`, forgotten: `${forgottenPath}/login` } as const;

/** The client that requests a login, with the way back to it. */
export function shownCancelling(
  request: AuthorizationRequest | undefined,
  stage: keyof typeof cancelPaths,
  prefix: string,
) {
  return {
    ...shownAsking(request),
    cancelUrl: request === undefined ? undefined : `${prefix}${cancelPaths[stage]}`,
  };
}

/** What every page on the way of a request needs of it. */
export function shownFor(request: AuthorizationRequest | undefined) {
  if (request === undefined) return {};
  return { destination: destinationOf(request.target), languages: request.uiLocales ?? [] };
}

/**
 * Scopes with what their resource servers say of them. The pages have words of their own for those of OpenID Connect.
 *
 * @param home resource server of the client
 */
export function shownScopes(
  scopes: Scopes,
  home: ResourceServer,
  targets: readonly TargetServer[] = [homeTarget(home)],
): readonly (DescribedScope & { readonly value: string })[] {
  const { openid } = splitScopes(scopes, home);
  return scopes.map((value) => {
    const { id, scope = '' } = memberOf(value);
    const isOpenid = openid.some((name) => name === value);
    const server = isOpenid ? undefined : targets.find((target) => target.id === id)?.resourceServer;
    const described = server?.scopeDescriptions.find(({ name }) => name === scope) ?? { name: scope };
    const isOfOne = server === undefined || targets.length === 1;
    return { ...described, value, isOpenid, ...(!isOfOne && { resourceServer: server.key }) };
  });
}

/** The scopes of all that a client can do, of the home first. @param home resource server of the client */
export function shownAccess(
  { scopes, others }: ListedAccess,
  home: ResourceServer,
): readonly DescribedScope[] {
  const elsewhere = others.flatMap((other) =>
    shownScopes(other.scopes, other.resourceServer).map((scope) => ({
      ...{ ...scope, isOpenid: false, resourceServer: other.resourceServer.key },
    })),
  );
  return [...shownScopes(scopes, home), ...elsewhere];
}
