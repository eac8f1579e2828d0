/** Records as the administration interface has them, by the names of the wire. */

export interface ResourceServer extends ResourceServerFields {
  readonly id: number;
  /** Issued on creation; with it and the secret, the API asks about tokens. */
  readonly key: string;
  /** Principal name of whoever registered it. */
  readonly owner: string;
  /**
   * Who vouches for that name: a module or an identity provider. `''` when it was registered at the command line,
   * `system` when the server itself depends on it, `client:` and a record id when a client acted for itself.
   */
  readonly ownerAuthority: string;
}

/** A resource server as a change left it. */
export interface ChangedResourceServer extends ResourceServer {
  /** clientIds of clients whose `skipConsent` and `trusted` the change set back to `false`. */
  readonly resetClients?: readonly string[];
}

/** What may be submitted of a resource server. */
export interface ResourceServerFields {
  readonly name: string;
  readonly description: string;
  /** What its clients may be given. */
  readonly scopes: readonly string[];
  readonly contactName: string;
  readonly contactEmail: string;
  readonly thumbNailUrl: string;
}

export interface Client extends ClientFields {
  readonly id: number;
  /** Issued on creation from `clientName`. */
  readonly clientId: string;
  readonly resourceserver_id: number;
  /** An administrator or the command line on the database created or confirmed it. */
  readonly trusted: boolean;
}

/** A client as a change left it. */
export interface ChangedClient extends Client {
  /** Fields that the change set back to `false`: the caller is no administrator and changed what was trusted. */
  readonly reset?: readonly ('skipConsent' | 'trusted')[];
}

/** What may be submitted of a client. */
export interface ClientFields {
  readonly clientName: string;
  readonly description: string;
  readonly contactName: string;
  readonly contactEmail: string;
  readonly thumbNailUrl: string;
  readonly scopes: readonly string[];
  readonly redirectUris: readonly string[];
  readonly allowedClientCredentials: boolean;
  /** Makes the client public: it has no secret. */
  readonly allowedImplicitGrant: boolean;
  readonly useRefreshTokens: boolean;
  readonly skipConsent: boolean;
  readonly includePrincipal: boolean;
  /** Seconds that an access token lives; 0 = it does not expire. */
  readonly expireDuration: number;
  readonly attributes: Readonly<Record<string, string>>;
}

export interface AccessToken extends AccessTokenFields {
  readonly id: string;
  readonly clientId: string;
  /** Principal name of whoever granted it; the clientId when the client acts for itself. */
  readonly resourceOwnerId: string;
  /** Who vouches for that name: the same name from another authority is somebody else. */
  readonly resourceOwnerAuthority: string;
  /** Epoch milliseconds. */
  readonly creationDate: number;
  readonly principal: Principal;
}

/** What may be changed of an access token. */
export interface AccessTokenFields {
  readonly scopes: readonly string[];
  /** Epoch milliseconds; 0 = it does not expire. */
  readonly expires: number;
}

export interface Principal {
  readonly name: string;
  readonly roles: readonly string[];
  readonly groups: readonly string[];
  /** Sees and changes everything. */
  readonly adminPrincipal: boolean;
  readonly attributes: Readonly<Record<string, string>>;
}

/** One change that somebody made to a record, or one login, logout, grant or withdrawal. */
export interface AuditEvent {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly time: number;
  readonly actor: string;
  /** Who vouches for that name; `cli` at the command line, `system` for the server itself. */
  readonly actorAuthority: string;
  /** The client through which the actor came. */
  readonly clientId: string | null;
  /** Network address of the actor; `''` at the command line. */
  readonly source: string;
  readonly action:
    | 'create'
    | 'update'
    | 'delete'
    | 'rotateSecret'
    | 'revokeTokens'
    | 'changePassword'
    | 'login'
    | 'logout'
    | 'grant'
    | 'withdraw';
  readonly recordType: AuditedRecordType;
  readonly recordId: string;
  /** Its key, clientId or principal name at that time. */
  readonly recordName: string;
  readonly owner: string;
  readonly ownerAuthority: string;
  /** What was changed, as it was and as it became; never a secret. */
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

export type AuditedRecordType =
  | 'resourceServer'
  | 'client'
  | 'accessToken'
  | 'resourceOwner'
  | 'account'
  | 'identityProvider'
  | 'loginSession'
  | 'grant';

/** A record together with its secret, which is answered this once. A public client has none. */
export type WithSecret<Value> = Value & { readonly secret?: string };

/** A record together with its token, which is answered this once. */
export type WithToken<Value> = Value & { readonly token: string };
