import { type OAuthErrorDetails, RedirectableError } from '../model/errors/errors.ts';
import { because } from '../model/errors/rules/error-rules.ts';
import { isOpenidScope } from '../model/openid-scope.ts';
import type { Client } from '../model/records/client.ts';
import type { ResourceServer } from '../model/records/resource-server.ts';
import { comparedResourceUri } from '../model/resource-uri.ts';
import type { Scopes } from '../model/scope.ts';
import { marksOf, memberOf, scopeAt, type Target, targetsOf } from '../model/targeted-scope.ts';
import type { Registry } from '../ports/stores/registry.ts';
import { isWithoutHome, scopesAt } from './usable-resource-servers.ts';

/** A resource server that a request names by the parameter `resource` (RFC 8707 §2), and that the client can use. */
export interface AskedResourceServer {
  readonly target: Target;
  readonly resourceServer: ResourceServer;
  /** The names of all scopes that the client can have there. */
  readonly scopes: Scopes;
}

type Servers = Pick<Registry, 'resourceServerById' | 'resourceServerByUri'>;

const mostResources = 20;

/**
 * The resource servers of a request, in the order of first mention; `undefined` if it names none.
 *
 * @param values of the parameter `resource`; an empty one counts as absent (RFC 6749 §3.1)
 * @throws RedirectableError `invalid_target`
 */
export function askedResourceServers(
  values: readonly string[],
  client: Client,
  registry: Servers,
): readonly AskedResourceServer[] | undefined {
  const named = values.filter((value) => value !== '');
  if (named.length === 0) return undefined;
  if (named.length > mostResources) throw invalidTarget(because('resource_uri', { most: mostResources }));
  const found = named.map((uri) => usableResource(uri, client, registry));
  const byId = Map.groupBy(found, ({ resourceServer }) => resourceServer.id);
  return [...byId.values()].flatMap((of) => {
    const [first] = of;
    if (first === undefined) return [];
    const id = first.resourceServer.id === client.resourceServerId ? undefined : first.resourceServer.id;
    return { ...first, target: { id, resources: [...new Set(of.map(({ registered }) => registered))] } };
  });
}

/** Everything that a client can have at the resource servers, and nothing of OpenID Connect. */
export function scopesOfAll(asked: readonly AskedResourceServer[]): Scopes {
  return [
    ...asked.flatMap(({ target }) => marksOf(target)),
    ...asked.flatMap(({ target, scopes }) => scopes.map((scope) => scopeAt(target.id, scope))),
  ];
}

/**
 * A client without a resource server of its own must name those whose scopes it wants.
 *
 * @param names of the scopes that the request asks for, without a resource
 * @param available those that it can have without one
 * @throws RedirectableError `invalid_target`
 */
export function refuseUnnamedResource(
  names: Scopes,
  available: Scopes,
  client: Client,
  registry: Registry,
): void {
  if (names.every((name) => available.includes(name)) || !isWithoutHome(client, registry)) return;
  const known = [...registry.resourceServers()].flatMap((server) => scopesAt(client, server, registry) ?? []);
  const scope = names.find((name) => !available.includes(name) && known.includes(name));
  if (scope !== undefined) throw invalidTarget(because('named_resource', { scope }));
}

/** The names that scopes have at one of the resource servers, whether the client can have them or not. */
export function ownScopesOf(asked: readonly AskedResourceServer[]): Scopes {
  return asked.flatMap(({ resourceServer }) => resourceServer.scopes);
}

/**
 * What is left of granted scopes for some of their resource servers (RFC 8707 §2.2). Those of OpenID Connect are left in any case.
 *
 * @param home resource server of the client
 * @throws RedirectableError `invalid_target` if one of them, or its URI, was not granted
 */
export function narrowedTo(
  granted: Scopes,
  asked: readonly AskedResourceServer[],
  home: { readonly scopes: Scopes },
): Scopes {
  const targets = targetsOf(granted) ?? [{ id: undefined, resources: [] }];
  for (const { target } of asked) {
    const of = targets.find(({ id }) => id === target.id);
    const isGranted = (uri: string) =>
      of !== undefined && (of.resources.length === 0 || of.resources.includes(uri));
    const missing = target.resources.find((uri) => !isGranted(uri));
    if (missing === undefined) continue;
    const expected = targets.flatMap(({ resources }) => resources);
    throw invalidTarget(because('granted_resource', { missing, granted: expected }));
  }
  const isOfOpenid = (scope: string) => isOpenidScope(scope) && !home.scopes.includes(scope);
  const scopes = granted.filter((member) => {
    const { id, scope } = memberOf(member);
    if (scope === undefined) return false;
    return asked.some(({ target }) => target.id === id) || (id === undefined && isOfOpenid(scope));
  });
  return [...asked.flatMap(({ target }) => marksOf(target)), ...scopes];
}

function usableResource(uri: string, client: Client, registry: Servers) {
  const compared = comparedResourceUri(uri);
  if (compared === undefined) throw invalidTarget(because('resource_uri', { uri }));
  const resourceServer = registry.resourceServerByUri(uri);
  const registered = resourceServer?.resources.find((each) => comparedResourceUri(each) === compared);
  const scopes = resourceServer && scopesAt(client, resourceServer, registry);
  if (resourceServer === undefined || registered === undefined || scopes === undefined)
    throw invalidTarget(because('usable_resource', { uri }));
  return { resourceServer, registered, scopes };
}

function invalidTarget(why: OAuthErrorDetails): RedirectableError {
  return new RedirectableError('invalid_target', why);
}
