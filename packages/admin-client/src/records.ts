// Made from the OpenAPI description of the administration interface: npm run records -w packages/admin-client

/** An API that asks this server about tokens, and the scopes that its clients can be given. */
export interface ResourceServer extends ResourceServerFields {
  /** Record id. */
  readonly id: number;
  /** User name of its HTTP Basic credentials; issued on creation. */
  readonly key: string;
  /** Principal name of its owner, who created it. */
  readonly owner: string;
  /**
   * The identity provider of the owner: an authentication module, or one that a module names; empty when it
   * was registered at the command line, "system" when the server itself depends on it, "client:" with a
   * record id when a client acted for itself.
   */
  readonly ownerAuthority: string;
}

/** The fields of ResourceServer that a request sets. */
export interface ResourceServerFields {
  /** Its name, unique among those of its owner. */
  readonly name: string;
  /** What it is for. */
  readonly description: string;
  /** The scopes that its clients can be given. */
  readonly scopes: readonly string[];
  /** Whom to ask about it. */
  readonly contactName: string;
  /** Where to ask about it: an e-mail address, or empty. */
  readonly contactEmail: string;
  /** An http(s) URL of its picture, or empty. The server never fetches it. */
  readonly thumbNailUrl: string;
}

/** An API that asks this server about tokens, and the scopes that its clients can be given. */
export interface ResourceServerWithSecret extends ResourceServer {
  /** Password of its HTTP Basic credentials; returned on creation and rotation only. */
  readonly secret: string;
}

/** An API that asks this server about tokens, and the scopes that its clients can be given. */
export interface ChangedResourceServer extends ResourceServer {
  /**
   * The clientId of each of its clients whose skipConsent and trusted this change has set back to false,
   * because the caller is not an administrator; absent when there is none.
   */
  readonly resetClients?: readonly string[];
}

/** A client application of a resource server. */
export interface Client extends ClientFields {
  /** Record id. */
  readonly id: number;
  /** Its client_id; issued on creation from clientName. */
  readonly clientId: string;
  /** Record id of its resource server. */
  readonly resourceserver_id: number;
  /**
   * An administrator or the command line on the database created or confirmed it. Errors of its authorization
   * requests then go to it without a page in between. Falls back to false when a caller who is not an
   * administrator changes what an administrator vouched for.
   */
  readonly trusted: boolean;
  /**
   * True while it is confidential and has no secret, so that it cannot authenticate: rotate its secret;
   * absent otherwise.
   */
  readonly lacksSecret?: boolean;
}

/** The fields of Client that a request sets. */
export interface ClientFields {
  /** Its name, which users and resource servers see. */
  readonly clientName: string;
  /** What it is for. */
  readonly description: string;
  /** Whom to ask about it. */
  readonly contactName: string;
  /** Where to ask about it: an e-mail address, or empty. */
  readonly contactEmail: string;
  /** An http(s) URL of its picture, or empty. The server never fetches it. */
  readonly thumbNailUrl: string;
  /** The scopes that it can be given, of those of its resource server. */
  readonly scopes: readonly string[];
  /**
   * Where users return to. Compared character by character, except for the port on a loopback host. Each is
   * https, http on a loopback host, or has a scheme of its own such as com.example.app.
   */
  readonly redirectUris: readonly string[];
  /**
   * It can keep a secret, with which it authenticates. A public client (false) has no secret, and needs PKCE
   * for its codes. A request that allows the implicit grant and leaves this field out makes the client
   * public; a replacement that leaves it out otherwise keeps the stored value. A client that becomes
   * confidential gets its secret by rotation, and cannot authenticate before.
   */
  readonly confidential: boolean;
  /** It can act for itself (client credentials). Not for a public client. */
  readonly allowedClientCredentials: boolean;
  /**
   * It can use the implicit grant. For public clients only: confidential must not be true beside it. A client
   * that no longer uses the implicit grant stays public.
   */
  readonly allowedImplicitGrant: boolean;
  /** It is given refresh tokens. */
  readonly useRefreshTokens: boolean;
  /**
   * Users are not asked for consent. They are asked all the same when the client is public and the redirect
   * URI is a loopback or private-use one. Administrators set it; from another caller it is ignored. Falls
   * back to false when a caller who is not an administrator changes what an administrator vouched for.
   */
  readonly skipConsent: boolean;
  /** The answer of the implicit grant names the principal. */
  readonly includePrincipal: boolean;
  /**
   * Lifetime of its access tokens in seconds; 0 = no expiry. Without expiry, expires_in of a token response
   * is 0, which some client libraries read as expired. The setting token.omitZeroExpiresIn leaves it out.
   */
  readonly expireDuration: number;
  /**
   * Texts by name, read by authentication modules. At most 8192 bytes together. In a change, null removes a
   * name.
   */
  readonly attributes: Readonly<Record<string, string>>;
}

/** A client application of a resource server. */
export interface ClientWithSecret extends Client {
  /** Its client_secret; returned on creation and rotation only. A public client has none. */
  readonly secret?: string;
}

/** A client application of a resource server. */
export interface ChangedClient extends Client {
  /**
   * Fields that this change has set back to false, because the caller is not an administrator; absent when
   * there is none.
   */
  readonly reset?: readonly ('skipConsent' | 'trusted')[];
}

/** An access token that was issued and not revoked. Expired ones are listed until they are removed. */
export interface AccessToken extends AccessTokenFields {
  /** The client that it was issued to. */
  readonly clientId: string;
  /** Id of the token; not the token itself. */
  readonly id: string;
  /** Principal name of the resource owner who granted it; the clientId when the client acts for itself. */
  readonly resourceOwnerId: string;
  /** The identity provider of that name: the same name at another one is another resource owner. */
  readonly resourceOwnerAuthority: string;
  /** When it was issued, in epoch milliseconds. */
  readonly creationDate: number;
  /** The resource owner, as resource servers see it. */
  readonly principal: Principal;
}

/** The fields of AccessToken that a request sets. */
export interface AccessTokenFields {
  /** What it allows; can be narrowed. */
  readonly scopes: readonly string[];
  /**
   * When it expires, in epoch milliseconds; 0 = never. No later than the registration of its client allows,
   * unless the caller is an administrator.
   */
  readonly expires: number;
}

/** An access token that was issued and not revoked. Expired ones are listed until they are removed. */
export interface AccessTokenWithValue extends AccessToken {
  /** The token itself; answered on creation only. */
  readonly token: string;
}

/**
 * Access of a client on behalf of a resource owner: a grant under which a code or a token can be valid, or a
 * consent that is remembered while no grant is active.
 */
export interface Grant {
  /** Id of the grant; of a remembered consent that of the grant with which it was given. */
  readonly id: string;
  /** Principal name of the resource owner. */
  readonly resourceOwnerId: string;
  /** The identity provider of that name: the same name at another one is another resource owner. */
  readonly resourceOwnerAuthority: string;
  /** Identifies the resource owner: sub of introspection. No other resource owner ever has it. */
  readonly subject: string;
  readonly clientId: string;
  readonly clientName: string;
  /** Record id of the resource server of the client. */
  readonly resourceServerId: number;
  readonly resourceServerName: string;
  /** Granted scopes that the client still has. Empty of a consent alone. */
  readonly scopes: readonly string[];
  /**
   * Remembered consent: the client gets these scopes again without a question. Empty when the resource owner
   * will be asked.
   */
  readonly consentedScopes: readonly string[];
  /** When it was granted, in epoch milliseconds. */
  readonly creationDate: number;
  /**
   * When a token was last issued under it, in epoch milliseconds. Requests to resource servers do not change
   * it. null of a consent alone.
   */
  readonly lastUsed: number | null;
  /** Whether the client has a refresh token that it can use. */
  readonly refreshToken: boolean;
  /** Access tokens that have not expired. */
  readonly accessTokens: number;
  /** The resource owner as resource servers see it. For administrators only. */
  readonly principal?: Principal;
}

/** The numbers of what ended. */
export interface EndedGrants {
  /** Grants with all their tokens. */
  readonly grants: number;
  /** Remembered consents. */
  readonly consents: number;
}

/** The resource owner of the token: exactly what the authentication module returned. */
export interface Principal {
  readonly name: string;
  readonly roles: readonly string[];
  readonly groups: readonly string[];
  /** An administrator, who sees and changes everything. */
  readonly adminPrincipal: boolean;
  readonly attributes: Readonly<Record<string, string>>;
}

/**
 * An identity provider whose users have sessions, grants or consents here: an authentication module, or one
 * that a module names.
 */
export interface IdentityProvider {
  /** Its name: that of a module such as password, or an entity id. */
  readonly identityProvider: string;
  /**
   * Whether this node is configured with it. The server refuses what the users of another one have. null
   * while it is unknown.
   */
  readonly configured: boolean | null;
  /** Login sessions of its users. */
  readonly loginSessions: number;
  /** Grants of its users, each with all its tokens. */
  readonly grants: number;
  /** Stored consents of its users. */
  readonly consents: number;
}

/** A resource owner: a name, and the identity provider that vouches for it. */
export interface ResourceOwner {
  /** Principal name, exactly as tokens have it. */
  readonly resourceOwnerId: string;
  /** The identity provider of the name, as tokens have it. */
  readonly resourceOwnerAuthority: string;
}

/** The numbers of what ended. */
export interface OwnerRevocation {
  /** Grants with all their tokens. */
  readonly grants: number;
  readonly loginSessions: number;
}

/** One change to a record, or one login, logout, grant or withdrawal. */
export interface AuditEvent {
  readonly id: string;
  /** When, in epoch milliseconds. */
  readonly time: number;
  /** The actor: the name of a principal, or of a user at the command line. */
  readonly actor: string;
  /** The identity provider of that name; "cli" at the command line, "system" for the server itself. */
  readonly actorAuthority: string;
  /** The client of the access token of the actor. */
  readonly clientId: string | null;
  /** Network address of the actor; empty at the command line. */
  readonly source: string;
  readonly action:
    | 'create'
    | 'update'
    | 'delete'
    | 'rotateSecret'
    | 'revokeTokens'
    | 'revokeGrants'
    | 'changePassword'
    | 'restore'
    | 'login'
    | 'logout'
    | 'grant'
    | 'withdraw';
  readonly recordType:
    | 'resourceServer'
    | 'client'
    | 'accessToken'
    | 'resourceOwner'
    | 'account'
    | 'identityProvider'
    | 'loginSession'
    | 'grant'
    | 'database';
  readonly recordId: string;
  /** Its key, clientId or principal name at that time. */
  readonly recordName: string;
  /** The owner of the record. */
  readonly owner: string;
  readonly ownerAuthority: string;
  /** What was changed, as it was. */
  readonly before: Readonly<Record<string, unknown>> | null;
  /** What was changed, as it became. */
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** Numbers of the records of the caller; for administrators, of all records. */
export interface Statistics {
  /** Clients by id. */
  readonly clients: readonly {
    /** Record id. */
    readonly id: number;
    readonly clientId: string;
    readonly clientName: string;
    readonly resourceserver_id: number;
    /** Access tokens that are valid now. */
    readonly tokens: number;
    /** Resource owners with a grant that is valid now. */
    readonly resourceOwners: number;
  }[];
  /**
   * The greatest number of tokens and grants that are counted for each client, the newest first; older ones
   * are not counted.
   */
  readonly countLimit: number;
  /** Tokens issued; an hour without any is left out. */
  readonly issued: readonly {
    /** When the hour began, in epoch milliseconds. */
    readonly time: number;
    /** As in token requests; "implicit", or "administration" for tokens issued here. */
    readonly grantType: string;
    readonly tokens: number;
  }[];
  /** Requests that this node refused since its start; for administrators only. */
  readonly refusals: readonly {
    /** Name of the error. */
    readonly reason: string;
    readonly requests: number;
  }[];
}
