import { clientPrincipal, type Principal } from '../model/principal.ts';
import { isExpired } from '../model/records/access-token.ts';
import { type Client, isRevokedWithClient } from '../model/records/client.ts';
import type { ResourceServer } from '../model/records/resource-server.ts';
import type { Scopes } from '../model/scope.ts';
import { isFor, isTargeted, kept, leftUnder, namesAt, targetsOf } from '../model/targeted-scope.ts';
import { remainingScopesOf, splitScopes } from '../openid/scopes.ts';
import type { PresentedAccessToken } from '../ports/stores/grants/access-token-store.ts';
import type { Registry } from '../ports/stores/registry.ts';
import { isOfConfiguredProvider, type OwnerDependencies } from '../rules/configured-identity-provider.ts';
import { hasEndedWithSession, type SessionLookup } from '../rules/login-session.ts';
import type { FoundByText } from './formats/access-token-format.ts';
import type { AccessTokenFormats } from './formats/formats.ts';

export interface TokenLookupDependencies extends OwnerDependencies, SessionLookup {
  readonly accessTokenFormats: Pick<AccessTokenFormats, 'find'>;
  readonly registry: Registry;
}

export type IssuedTokenDependencies = Pick<
  TokenLookupDependencies,
  'accessTokenFormats' | 'registry' | 'clock'
>;

/** An access token that was issued and not revoked, with the records that it belongs to. */
export interface FoundAccessToken {
  readonly token: PresentedAccessToken;
  readonly client: Client;
  /** That of the client. The token can be for others, see {@link scopesFor}. */
  readonly resourceServer: ResourceServer;
  readonly principal: Principal;
  /** `sub` of the token: of the resource owner, or the clientId where the client acts for itself (RFC 9068 §2.2). */
  readonly subject: string;
  /** The granted scopes that the client still has. */
  readonly scopes: Scopes;
  readonly expired: boolean;
}

/**
 * Finds what a presented access token represents. The token is found only while its client and its resource server exist,
 * if it and its grant are younger than the client's `tokensValidFrom`, while the identity provider of its owner is configured, and a JWT
 * while its resource server takes JWTs; a token of the administration pages only during its login session, which is used with it. In any other
 * case the result is `undefined`, as for a token that was never issued.
 *
 * @throws OAuthError `temporarily_unavailable`
 */
export async function findAccessToken(
  value: string,
  deps: TokenLookupDependencies,
): Promise<FoundAccessToken | undefined> {
  const issued = issuedToken(await deps.accessTokenFormats.find(value), deps);
  const found = issued && takenToken(issued, deps.registry);
  if (found === undefined) return undefined;
  const { client, resourceServer, token } = found;
  const { grant } = token;
  if (!isOfConfiguredProvider(grant?.owner, deps)) return undefined;
  return (await hasEndedWithSession({ client, resourceServer, grant }, deps, !found.expired))
    ? undefined
    : found;
}

/**
 * A resource server that has opaque tokens again gets no news of revoked JWTs, so its JWTs are not valid. Opaque tokens are valid
 * until their end.
 */
function takenToken(
  found: FoundAccessToken,
  registry: Pick<Registry, 'resourceServerById'>,
): FoundAccessToken | undefined {
  const { token, resourceServer: home, scopes } = found;
  if (token.format === 'opaque') return found;
  const isTaken = (server: ResourceServer | undefined) => server?.accessTokenFormat === token.format;
  if (!isTargeted(scopes)) return isTaken(home) ? found : undefined;
  const taken = kept(
    scopes,
    ({ id, scope }) =>
      scope !== undefined || isTaken(id === undefined ? home : registry.resourceServerById(id)),
  );
  return targetsOf(taken)?.length === 0 ? undefined : { ...found, scopes: taken };
}

/**
 * The same for any identity provider and format of the resource server: a token that the client revokes must not become valid again when
 * these are configured again.
 */
export async function findIssuedToken(
  value: string,
  deps: IssuedTokenDependencies,
): Promise<FoundAccessToken | undefined> {
  return issuedToken(await deps.accessTokenFormats.find(value), deps);
}

function issuedToken(
  found: FoundByText | undefined,
  { registry, clock }: Pick<IssuedTokenDependencies, 'registry' | 'clock'>,
): FoundAccessToken | undefined {
  if (found === undefined) return undefined;
  const { token, client } = found;
  if (client === undefined || isRevokedWithClient(client, token, token.grant)) return undefined;
  const resourceServer = registry.resourceServerById(client.resourceServerId);
  if (resourceServer === undefined || !isNamed(token, resourceServer)) return undefined;
  return {
    token,
    client,
    resourceServer,
    principal: token.grant?.owner.principal ?? clientPrincipal(client.clientId),
    subject: token.grant?.owner.subject ?? client.clientId,
    scopes: remainingScopesOf(leftUnder(token.scopes, token.grant), client, resourceServer, registry),
    expired: isExpired(token, clock.now()),
  };
}

/** RFC 9068 §4. A token with marks says by them for whom it is. */
function isNamed({ audience, scopes }: PresentedAccessToken, { key, resources }: ResourceServer): boolean {
  if (audience === undefined || audience.includes(key)) return true;
  return isTargeted(scopes) || audience.some((name) => resources.includes(name));
}

/**
 * The names of the scopes that a token gives at a resource server, those of OpenID Connect included; `undefined` if the token is not for
 * it.
 */
export function scopesFor(
  { scopes, resourceServer: home }: Pick<FoundAccessToken, 'scopes' | 'resourceServer'>,
  caller: ResourceServer,
): Scopes | undefined {
  const id = caller.id === home.id ? undefined : caller.id;
  if (!isTargeted(scopes)) return id === undefined ? scopes : undefined;
  if (!isFor(scopes, id)) return undefined;
  if (id === undefined) return namesAt(scopes, id);
  // It takes each name for a scope of its own, if it has one of that name.
  const openid = splitScopes(namesAt(scopes, undefined), home).openid;
  return [...namesAt(scopes, id), ...openid.filter((scope) => !caller.scopes.includes(scope))];
}
