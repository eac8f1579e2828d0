import {
  type AccessTokenFormatName,
  type Client,
  type ClientStore,
  type Confirmation,
  clientIdentityProvider,
  type Grant,
  type Identity,
  identityOf,
  isRevokedWithClient,
  isSameIdentity,
  kept,
  leftUnder,
  type PresentedAccessToken,
  type Registry,
  type ResourceServer,
  type ResourceServerStore,
  remainingScopesOf,
  type Scopes,
  targetServers,
  targetsOf,
} from '@watchword/protocol';
import type { Caller } from './caller.ts';
import { owns } from './ownership.ts';

/** Finds the client of a token and its resource server. */
export interface RegisteredRecords {
  readonly clients: Pick<ClientStore, 'findById'>;
  readonly resourceServers: Pick<ResourceServerStore, 'findById'>;
}

/** A token that is valid, with what it represents. */
export interface IssuedToken {
  /** Only what it gives at these resource servers, which are the caller's (record ids). The client is that of another owner. */
  readonly part?: readonly number[];
  /** That of the row; `jti` of a JWT. */
  readonly id: string;
  /** Its id in the administration interface, if that is another one. */
  readonly address?: string;
  readonly format: AccessTokenFormatName;
  readonly client: Client;
  /** `undefined` when the client acts for itself. */
  readonly grant: Grant | undefined;
  /** The scopes of the token that the client still has. */
  readonly scopes: Scopes;
  /** Epoch milliseconds; 0 = does not expire. */
  readonly expires: number;
  /** Epoch milliseconds. */
  readonly creationDate: number;
  /** `undefined` for a bearer token. */
  readonly confirmation?: Confirmation | undefined;
}

/** The resource owner of a token: the user who granted it, or the client itself. */
export function tokenOwner({ grant, client }: Pick<IssuedToken, 'grant' | 'client'>): Identity {
  return grant === undefined
    ? { identityProvider: clientIdentityProvider(client.id), name: client.clientId }
    : identityOf(grant.owner);
}

export interface ActiveToken extends IssuedToken {
  readonly resourceServer: ResourceServer;
  /** The others that it is for, as they are registered now. */
  readonly others: readonly ResourceServer[];
}

/** The resource servers that scopes are for, at hand. @param home that of the client */
export async function serversOf(
  scopes: Scopes,
  home: ResourceServer,
  { resourceServers }: Pick<RegisteredRecords, 'resourceServers'>,
): Promise<Pick<Registry, 'resourceServerById'>> {
  const ids = targetsOf(scopes)?.flatMap(({ id }) => id ?? []) ?? [];
  const found = await Promise.all(ids.map((id) => resourceServers.findById(id)));
  const byId = new Map(found.flatMap((server) => (server === undefined ? [] : [[server.id, server]])));
  return { resourceServerById: (id) => (id === home.id ? home : byId.get(id)) };
}

/** The token with its records; `undefined` when it is no longer valid although it was found. */
export async function activeToken(
  token: Omit<PresentedAccessToken, 'format'>,
  registered: RegisteredRecords,
): Promise<ActiveToken | undefined> {
  const { id, clientRecordId, grantId, grant, expires, creationDate, confirmation } = token;
  if (grantId !== undefined && grant === undefined) return undefined;
  const client = await registered.clients.findById(clientRecordId);
  if (client === undefined || isRevokedWithClient(client, token, grant)) return undefined;
  const resourceServer = await registered.resourceServers.findById(client.resourceServerId);
  if (resourceServer === undefined) return undefined;
  const servers = await serversOf(token.scopes, resourceServer, registered);
  const scopes = remainingScopesOf(leftUnder(token.scopes, grant), client, resourceServer, servers);
  const others = targetServers(scopes, resourceServer, servers).flatMap((target) =>
    target.id === undefined ? [] : [target.resourceServer],
  );
  const made = { id, format: 'opaque', client, grant, scopes, expires, creationDate, confirmation } as const;
  return { ...made, resourceServer, others };
}

/**
 * What the caller can see and end of a token; `undefined`: nothing. A user is identified by the subject: the name can have been that of
 * another user. A token with which a client acts for itself is for the owners of its resource servers, each of whom has the own part.
 */
export function seenBy(caller: Caller, token: ActiveToken): ActiveToken | undefined {
  const { isAdministrator, identity, login } = caller;
  if (isAdministrator) return token;
  if (token.grant !== undefined) {
    const isOwn =
      login === undefined
        ? isSameIdentity(identity, tokenOwner(token))
        : token.grant.owner.subject === login.owner.subject;
    return isOwn ? token : undefined;
  }
  const isOfCaller = login === undefined && isSameIdentity(identity, tokenOwner(token));
  if (isOfCaller || owns(caller, token.resourceServer)) return token;
  const part = token.others.filter((server) => owns(caller, server)).map(({ id }) => id);
  const isOfPart = ({ id }: { readonly id: number | undefined }) => id !== undefined && part.includes(id);
  return part.length === 0 ? undefined : { ...token, scopes: kept(token.scopes, isOfPart), part };
}
