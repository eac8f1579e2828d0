import {
  type AccessTokenFormatName,
  type Client,
  clientFields,
  clientIdentityProvider,
  clientPrincipal,
  describedScopes,
  type Grant,
  type Identity,
  identityOf,
  isWeakSecret,
  lacksSecret,
  type Principal,
  type RecordState,
  type ResourceServer,
  resourceServerFields,
  type ScopeDescription,
  type Scopes,
  type WireRecord,
  wireRecord,
  withheldScopesOf,
} from '@watchword/protocol';

/** Records in the names of the administration interface, never with a secret, a token or a digest of one. */

export function resourceServerRecord(resourceServer: ResourceServer): ResourceServerRecord {
  return wireRecord(resourceServerFields, resourceServer);
}

export interface ResourceServerRecord extends WireRecord<typeof resourceServerFields> {}

/** A resource server in an answer, with a mark if it has a secret that can be guessed. */
export function answeredResourceServer(resourceServer: ResourceServer): ResourceServerRecord & SecretMark {
  return { ...resourceServerRecord(resourceServer), ...secretMark(resourceServer) };
}

/** As in an answer, but each scope is an object, with its description if it has one. */
export function describedResourceServer(resourceServer: ResourceServer): DescribedResourceServer {
  const { scopes, scopeDescriptions } = resourceServer;
  return { ...answeredResourceServer(resourceServer), scopes: describedScopes(scopes, scopeDescriptions) };
}

export interface DescribedResourceServer extends Omit<ResourceServerRecord, 'scopes'>, SecretMark {
  readonly scopes: readonly ScopeDescription[];
}

/** The audit log has names and descriptions apart, so that a change of one is seen. */
export function auditedResourceServer(resourceServer: ResourceServer): RecordState {
  const { scopeDescriptions } = resourceServer;
  const record = resourceServerRecord(resourceServer);
  return scopeDescriptions.length === 0 ? record : { ...record, scopeDescriptions };
}

export function clientRecord(client: Client): ClientRecord {
  return wireRecord(clientFields, client);
}

export interface ClientRecord extends WireRecord<typeof clientFields> {}

/** A client in an answer, with marks if it cannot authenticate yet or has a secret that can be guessed, and what it does not get yet. */
export interface AnsweredClient extends ClientRecord, SecretMark {
  readonly lacksSecret?: boolean;
  readonly withheldScopes?: Scopes;
}

export function answeredClient(client: Client): AnsweredClient {
  const withheldScopes = withheldScopesOf(client);
  return {
    ...clientRecord(client),
    ...(lacksSecret(client) && { lacksSecret: true }),
    ...secretMark(client),
    ...(withheldScopes.length > 0 && { withheldScopes }),
  };
}

interface SecretMark {
  readonly weakSecret?: boolean;
}

function secretMark({ secret }: Pick<Client, 'secret'>): SecretMark {
  return isWeakSecret(secret) ? { weakSecret: true } : {};
}

/** An active token, with what it represents. */
export interface IssuedToken {
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
}

/** The resource owner of a token: the user who granted it, or the client itself. */
export function tokenOwner({ grant, client }: Pick<IssuedToken, 'grant' | 'client'>): Identity {
  return grant === undefined
    ? { identityProvider: clientIdentityProvider(client.id), name: client.clientId }
    : identityOf(grant.owner);
}

export function accessTokenRecord(token: IssuedToken) {
  const { id, address = id, format, client, grant, scopes, expires, creationDate } = token;
  const { identityProvider, name } = tokenOwner(token);
  const principal: Principal = grant?.owner.principal ?? clientPrincipal(client.clientId);
  return {
    id: address,
    format,
    clientId: client.clientId,
    resourceOwnerId: name,
    resourceOwnerAuthority: identityProvider,
    scopes,
    expires,
    creationDate,
    principal,
  };
}

export type AccessTokenRecord = ReturnType<typeof accessTokenRecord>;
