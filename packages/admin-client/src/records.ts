// Made from the OpenAPI description of the administration interface: npm run records -w packages/admin-client

/** An API that validates tokens at this server, and the scopes that its clients can get. */
export interface ResourceServer extends ResourceServerFields {
  /** Record id. */
  readonly id: number;
  /** User name of its HTTP Basic credentials; made from the name, or chosen, on creation. */
  readonly key: string;
  /** Principal name of the record owner, who created it. */
  readonly owner: string;
  /**
   * The identity provider of the owner: an authentication module, or one that a module names; empty when it
   * was registered at the command line, "system" when the server itself depends on it, "client:" with a
   * record id when a client acted for itself.
   */
  readonly ownerAuthority: string;
  /** Name of the configuration that manages it, which alone changes it; empty if none does. */
  readonly managedBy: string;
  /**
   * True while it has an imported secret of fewer than 16 characters, which can be guessed: rotate its
   * secret; absent otherwise.
   */
  readonly weakSecret?: boolean;
}

/** The fields of ResourceServer that a request sets. */
export interface ResourceServerFields {
  /** Its name, unique among the resource servers of its owner. */
  readonly name: string;
  /** What it is for. */
  readonly description: string;
  /**
   * The scopes that its clients can get. Each is a name, or an object that also describes the scope for
   * users. A name alone keeps the description that the scope has; an object replaces it as a whole, and so
   * removes what it leaves out. New scopes must not be openid, profile, email, address, phone, offline_access
   * or groups, which belong to the server. Answers have names alone, unless the request asks for
   * scopes=described.
   */
  readonly scopes: readonly string[];
  /**
   * The URIs by which requests name it in the parameter resource (RFC 8707). Each is https, or http on a
   * loopback host, without a fragment, and no other resource server has it. Administrators alone add one; the
   * record owner can remove it. The aud of its access tokens is the URI of the request, or the first of
   * these, or its key.
   */
  readonly resources: readonly string[];
  /**
   * Which clients can get its openScopes too: none (owner), those to which an administrator gives them
   * (administrators), or those of every owner (everyone). A client to which it is no longer open loses the
   * scopes at once; with administrators, clients that one has confirmed keep them. Clients that describe
   * themselves get them with everyone alone.
   */
  readonly openToClients: 'owner' | 'administrators' | 'everyone';
  /** Those of its scopes that clients of other owners can get, as openToClients says. */
  readonly openScopes: readonly string[];
  /**
   * Whether it asks the server about each access token (opaque), or can verify them itself (jwt, RFC 9068).
   * With jwt each of its clients needs an expireDuration from 1 to 86400: a client with another one is a
   * conflict that names it. Opaque tokens that exist stay valid; JWTs are refused while it is opaque.
   */
  readonly accessTokenFormat: 'opaque' | 'jwt';
  /**
   * Whether token info and introspection tell it when and how strongly the user logged in (auth_time and acr,
   * RFC 9470). JWTs always say it. Without it an API with opaque tokens cannot ask for a stronger or a newer
   * login. Access tokens that exist are answered with it at once.
   */
  readonly loginDetails: boolean;
  /** Name of the person or team to contact about it. */
  readonly contactName: string;
  /** E-mail address for questions about it, or empty. */
  readonly contactEmail: string;
  /** An http(s) URL of its picture, or empty. The server never fetches it. */
  readonly thumbNailUrl: string;
}

/** An API that validates tokens at this server, and the scopes that its clients can get. */
export interface ResourceServerWithSecret extends ResourceServer {
  /** Password of its HTTP Basic credentials; returned on creation and rotation only. */
  readonly secret: string;
}

/** A scope, and what it lets a client do, in words for users. */
export interface DescribedScope {
  /** The scope itself. */
  readonly name: string;
  /** For users whose language has no text of its own. */
  readonly description?: string;
  /** Texts by language tag (BCP 47), such as nl or pt-BR. */
  readonly descriptions?: Readonly<Record<string, string>>;
}

/** A scope in a request. A member that is null is the same as one that is left out. */
export interface SubmittedScope {
  /** The scope itself. */
  readonly name: string;
  /** For users whose language has no text of its own. */
  readonly description?: string | null;
  /** Texts by language tag (BCP 47), such as nl or pt-BR. */
  readonly descriptions?: Readonly<Record<string, string>> | null;
}

/** A resource server, and the scopes that a client can get there. */
export interface ResourceServerScopes {
  /** Record id of the resource server. */
  readonly resourceServerId: number;
  readonly scopes: readonly string[];
}

/** An API that validates tokens at this server, and the scopes that its clients can get. */
export interface DescribedResourceServer extends DescribedResourceServerFields {
  /** Record id. */
  readonly id: number;
  /** User name of its HTTP Basic credentials; made from the name, or chosen, on creation. */
  readonly key: string;
  /** Password of its HTTP Basic credentials; returned on creation and rotation only. */
  readonly secret?: string;
  /** Principal name of the record owner, who created it. */
  readonly owner: string;
  /**
   * The identity provider of the owner: an authentication module, or one that a module names; empty when it
   * was registered at the command line, "system" when the server itself depends on it, "client:" with a
   * record id when a client acted for itself.
   */
  readonly ownerAuthority: string;
  /** Name of the configuration that manages it, which alone changes it; empty if none does. */
  readonly managedBy: string;
  /**
   * True while it has an imported secret of fewer than 16 characters, which can be guessed: rotate its
   * secret; absent otherwise.
   */
  readonly weakSecret?: boolean;
  /**
   * The clientId of each of its clients whose skipConsent, trusted and keepsUserData this change has set to
   * false, because the caller is not an administrator; absent if there are none.
   */
  readonly resetClients?: readonly string[];
}

/** The fields of DescribedResourceServer that a request sets. */
export interface DescribedResourceServerFields {
  /** Its name, unique among the resource servers of its owner. */
  readonly name: string;
  /** What it is for. */
  readonly description: string;
  /**
   * The scopes that its clients can get. Each is a name, or an object that also describes the scope for
   * users. A name alone keeps the description that the scope has; an object replaces it as a whole, and so
   * removes what it leaves out. New scopes must not be openid, profile, email, address, phone, offline_access
   * or groups, which belong to the server. Answers have names alone, unless the request asks for
   * scopes=described.
   */
  readonly scopes: readonly DescribedScope[];
  /**
   * The URIs by which requests name it in the parameter resource (RFC 8707). Each is https, or http on a
   * loopback host, without a fragment, and no other resource server has it. Administrators alone add one; the
   * record owner can remove it. The aud of its access tokens is the URI of the request, or the first of
   * these, or its key.
   */
  readonly resources: readonly string[];
  /**
   * Which clients can get its openScopes too: none (owner), those to which an administrator gives them
   * (administrators), or those of every owner (everyone). A client to which it is no longer open loses the
   * scopes at once; with administrators, clients that one has confirmed keep them. Clients that describe
   * themselves get them with everyone alone.
   */
  readonly openToClients: 'owner' | 'administrators' | 'everyone';
  /** Those of its scopes that clients of other owners can get, as openToClients says. */
  readonly openScopes: readonly string[];
  /**
   * Whether it asks the server about each access token (opaque), or can verify them itself (jwt, RFC 9068).
   * With jwt each of its clients needs an expireDuration from 1 to 86400: a client with another one is a
   * conflict that names it. Opaque tokens that exist stay valid; JWTs are refused while it is opaque.
   */
  readonly accessTokenFormat: 'opaque' | 'jwt';
  /**
   * Whether token info and introspection tell it when and how strongly the user logged in (auth_time and acr,
   * RFC 9470). JWTs always say it. Without it an API with opaque tokens cannot ask for a stronger or a newer
   * login. Access tokens that exist are answered with it at once.
   */
  readonly loginDetails: boolean;
  /** Name of the person or team to contact about it. */
  readonly contactName: string;
  /** E-mail address for questions about it, or empty. */
  readonly contactEmail: string;
  /** An http(s) URL of its picture, or empty. The server never fetches it. */
  readonly thumbNailUrl: string;
}

/** A resource server that is open to clients of other owners. */
export interface OpenResourceServer {
  /** Record id of the resource server. */
  readonly id: number;
  /** Its key. */
  readonly key: string;
  /** Its name. */
  readonly name: string;
  /** What it is. */
  readonly description: string;
  /** The URIs by which requests name it (RFC 8707). */
  readonly resources: readonly string[];
  /** To which clients it is open. */
  readonly openToClients: 'administrators' | 'everyone';
  /** The scopes that these clients can get. */
  readonly openScopes: readonly DescribedScope[];
  /** Principal name of its record owner. */
  readonly owner: string;
  /** Identity provider of the record owner. */
  readonly ownerAuthority: string;
}

/** A client of another resource server that can use this one: what its owner may see of it. */
export interface OtherClient {
  /** Record id of the client. */
  readonly id: number;
  /** Its client_id. */
  readonly clientId: string;
  /** Its name. */
  readonly clientName: string;
  /** The scopes that it can get here. */
  readonly scopes: readonly string[];
  /** Whether an administrator created or confirmed it. */
  readonly trusted: boolean;
  /** Principal name of its record owner. */
  readonly owner: string;
  /** Identity provider of the record owner. */
  readonly ownerAuthority: string;
}

/** An API that validates tokens at this server, and the scopes that its clients can get. */
export interface ChangedResourceServer extends ResourceServer {
  /**
   * The clientId of each of its clients whose skipConsent, trusted and keepsUserData this change has set to
   * false, because the caller is not an administrator; absent if there are none.
   */
  readonly resetClients?: readonly string[];
}

/** A client application of a resource server. */
export interface Client extends ClientFields {
  /** Record id. */
  readonly id: number;
  /** Its client_id; made from clientName, or chosen, on creation. */
  readonly clientId: string;
  /** Record id of its resource server, its home: the client belongs to the owner of that. */
  readonly resourceserver_id: number;
  /**
   * An administrator or the command line on the database created or confirmed it. It then gets the errors of
   * its authorization requests without a page in between, and the scopes email, address, phone and groups.
   * Pages of any other client name the user who registered it. Becomes false when a caller who is not an
   * administrator changes a field that an administrator confirmed.
   */
  readonly trusted: boolean;
  /**
   * It gets email, address, phone and groups without a confirmation, because it was registered before one was
   * needed. Becomes false when a caller who is not an administrator changes a field that an administrator
   * confirmed.
   */
  readonly keepsUserData: boolean;
  /** Name of the configuration that manages it, which alone changes it; empty if none does. */
  readonly managedBy: string;
  /**
   * True while it is confidential and has no secret, so that it cannot authenticate: rotate its secret;
   * absent otherwise.
   */
  readonly lacksSecret?: boolean;
  /**
   * True while it has an imported secret of fewer than 16 characters, which can be guessed: rotate its
   * secret; absent otherwise.
   */
  readonly weakSecret?: boolean;
  /**
   * When the last of its secrets expires, or expired, in epoch milliseconds: add another one before; absent
   * if one never does.
   */
  readonly secretExpires?: number;
  /**
   * Those of openidScopes that it does not get until an administrator confirms it; absent if there are none.
   */
  readonly withheldScopes?: readonly (
    | 'profile'
    | 'email'
    | 'address'
    | 'phone'
    | 'offline_access'
    | 'groups'
  )[];
  /**
   * Start of the hour in which an access token was last issued to it, in epoch milliseconds; null if none was
   * in the last month. Only in a list that asks for it.
   */
  readonly lastIssued?: number | null;
}

/** The fields of Client that a request sets. */
export interface ClientFields {
  /** Its name for users and resource servers. */
  readonly clientName: string;
  /** What it is for. */
  readonly description: string;
  /** Name of the person or team to contact about it. */
  readonly contactName: string;
  /** E-mail address for questions about it, or empty. */
  readonly contactEmail: string;
  /** An http(s) URL of its picture, or empty. The server never fetches it. */
  readonly thumbNailUrl: string;
  /**
   * An https URL of its privacy policy, to which the consent page links, or empty. Until an administrator
   * confirms the client, only if its host is that of a redirect URI.
   */
  readonly policyUri: string;
  /**
   * An https URL of its terms of service, to which the consent page links, or empty. Until an administrator
   * confirms the client, only if its host is that of a redirect URI.
   */
  readonly tosUri: string;
  /** The scopes of its resource server that it can get. */
  readonly scopes: readonly string[];
  /**
   * The other resource servers that it can use, and the scopes that it can get at each. A request names one
   * by the parameter resource (RFC 8707). Each must be one of the same owner, or open to the client
   * (openToClients, openScopes); administrators can name any.
   */
  readonly otherResourceServers: readonly ResourceServerScopes[];
  /**
   * The addresses to which users return. They are compared character by character, except for the port on a
   * loopback host. Each must be https, http on a loopback host, or have a private-use scheme such as
   * com.example.app.
   */
  readonly redirectUris: readonly string[];
  /**
   * It can keep a secret, with which it authenticates. A public client (false) has no secret, and needs PKCE
   * for its codes. A request that allows the implicit grant and leaves this field out makes the client
   * public; a replacement that leaves it out otherwise keeps the stored value. A client that becomes
   * confidential gets its secret by rotation, and cannot authenticate before.
   */
  readonly confidential: boolean;
  /**
   * The one method by which it authenticates, at every endpoint; empty = with its secret, by HTTP Basic or in
   * the body; a public client by its client_id alone; private_key_jwt = with its key, without a secret;
   * assertion_issuer = another party signs for it. A public client can have none only, and a confidential
   * client any other (RFC 7591 section 2). With private_key_jwt (RFC 7523) it has no secret: it signs an
   * assertion with a key of jwks or jwksUri. With assertion_issuer one of assertionIssuers signs for it. A
   * request by another method is invalid_client.
   */
  readonly tokenEndpointAuthMethod:
    | ''
    | 'none'
    | 'client_secret_basic'
    | 'client_secret_post'
    | 'private_key_jwt'
    | 'assertion_issuer';
  /**
   * Its public keys, as a JSON Web Key Set; the command line takes PEM too. They verify what it signs: its
   * authentication by private_key_jwt, for example. While it replaces a key, both are here. A private key is
   * refused, and so is one of RSA with fewer than 2048 or more than 4096 bits. A signature without kid is
   * compared with four keys at most. jwksUri must be empty beside it (RFC 7591 section 2). To change either
   * of an existing client, people need a fresh login, as for a new secret.
   */
  readonly jwks: KeySet;
  /**
   * An https URL of its public keys, in the place of jwks, or empty. The server requests it when it needs a
   * key, keeps the answer, and asks again for a key that it does not know, at most once a minute.
   */
  readonly jwksUri: string;
  /** The one algorithm of its assertions (private_key_jwt); empty = each that fits its keys. */
  readonly tokenEndpointAuthSigningAlg: '' | 'RS256' | 'ES256' | 'EdDSA' | 'PS256';
  /**
   * Who signs its assertions if it has neither a secret nor a key (assertion_issuer). Such as a Kubernetes
   * cluster, GitHub Actions or a SPIFFE trust domain: each with issuer, audience, subject (exact, or with a *
   * at its end), and its keys as jwks or at a jwksUri; without both they are those of the setting
   * clients.assertionIssuers, if it names the issuer and lets you use it. The request names client_id, and
   * has as client_assertion a token of the issuer, which can be used again until it expires.
   */
  readonly assertionIssuers: readonly AssertionIssuer[];
  /** It can act for itself (client credentials). Not for a public client. */
  readonly allowedClientCredentials: boolean;
  /**
   * It can use the implicit grant. For public clients only: confidential must not be true beside it. A client
   * that no longer uses the implicit grant stays public.
   */
  readonly allowedImplicitGrant: boolean;
  /**
   * It can use the hybrid flow: the response types code id_token, code token and code id_token token. For
   * confidential clients only, whose redirect URIs all begin with https and have no loopback host (OpenID
   * Connect Core section 3.3). For old applications that ask for it; response_type=code with PKCE is safer.
   */
  readonly allowedHybrid: boolean;
  /** It gets refresh tokens. */
  readonly useRefreshTokens: boolean;
  /**
   * It sends a DPoP proof with each token request, so that its access tokens are bound to its key. A token
   * request without a proof is invalid_dpop_proof (RFC 9449 section 5.2). Any client can send proofs, and
   * then gets such tokens. Not beside allowedImplicitGrant.
   */
  readonly dpopBoundAccessTokens: boolean;
  /**
   * It asks for tokens with a certificate of its own, to which its access tokens are bound. A trusted proxy
   * names the certificate in the header of the setting clientCertificate.header; a token request without one
   * is invalid_request (RFC 8705 section 3). Not beside allowedImplicitGrant.
   */
  readonly tlsClientCertificateBoundAccessTokens: boolean;
  /**
   * Users are not asked for consent. If the client is public and the redirect URI has a loopback host or a
   * private-use scheme, users are always asked. Only administrators can set it; the value of another caller
   * is ignored. Becomes false when a caller who is not an administrator changes a field that an administrator
   * confirmed.
   */
  readonly skipConsent: boolean;
  /**
   * The answer of the implicit grant names the principal. With pairwise subjects only if the scope profile is
   * granted.
   */
  readonly includePrincipal: boolean;
  /**
   * Lifetime of its access tokens in seconds; 0 = no expiry. Without expiry, expires_in of a token response
   * is 0, which some client libraries read as expired. The setting token.omitZeroExpiresIn leaves it out.
   */
  readonly expireDuration: number;
  /**
   * How strong the logins of its users must be: mfa (several factors), phr (a passkey), or empty, as the
   * server demands of everybody. A user whose factors are not enough is asked to add a passkey, or an app for
   * one-time codes where that is enough. A login that does not become as strong is
   * unmet_authentication_requirements. Only administrators can set it; the value of another caller is
   * ignored.
   */
  readonly loginLevel: '' | 'mfa' | 'phr';
  /**
   * The scopes of OpenID Connect that it can get, beside openid. Every client with a redirect URI can ask for
   * openid. Each of these scopes needs an entry here: profile, email, address and phone give claims of the
   * user (OpenID Connect Core section 5.4), groups gives the groups of the user. offline_access is accepted
   * here and has no effect: a client with useRefreshTokens can ask for it (section 11). A request for another
   * one is no error: the scope is left out of what is granted.
   */
  readonly openidScopes: readonly ('profile' | 'email' | 'address' | 'phone' | 'offline_access' | 'groups')[];
  /**
   * Its ID tokens have the claims of the granted scopes too, and not the userinfo endpoint alone. For an
   * application that reads the ID token alone: without it, such an application gets no name, e-mail address
   * or groups (OpenID Connect Core section 5.4). The setting openid.claimsInIdToken does the same for all
   * clients.
   */
  readonly claimsInIdToken: boolean;
  /**
   * The addresses to which users can return after a logout. They are compared character by character. The
   * rules of redirect URIs hold for them (OpenID Connect RP-Initiated Logout section 3.1).
   */
  readonly postLogoutRedirectUris: readonly string[];
  /**
   * Whether it knows users by the same sub as other clients (public) or by its own (pairwise). Clients with
   * pairwise subjects cannot find out by sub that they have the same user. Clients of one sector, which is
   * the host of the redirect URIs or of sectorIdentifierUri, share the sub. A change gives every user another
   * sub at the client (OpenID Connect Core section 8).
   */
  readonly subjectType: 'public' | 'pairwise';
  /**
   * An https URL of a JSON array that names all its redirect URIs, or empty. Its host is the sector of
   * pairwise subjects. A client with pairwise subjects and redirect URIs of several hosts needs it (OpenID
   * Connect Core section 8.1). The server requests it when it or the redirect URIs are set.
   */
  readonly sectorIdentifierUri: string;
  /** The algorithm that signs its ID tokens; empty = the default algorithm of the server. */
  readonly idTokenSignedResponseAlg: '' | 'RS256' | 'ES256' | 'EdDSA' | 'PS256';
  /** The algorithm that signs the answers of the userinfo endpoint; empty = JSON without signature. */
  readonly userinfoSignedResponseAlg: '' | 'RS256' | 'ES256' | 'EdDSA' | 'PS256';
  /**
   * The algorithm that signs authorization responses for which a request asks (response_mode=jwt); empty =
   * the default algorithm of the server.
   */
  readonly authorizationSignedResponseAlg: '' | 'RS256' | 'ES256' | 'EdDSA' | 'PS256';
  /**
   * The address to which the server sends a logout token when a session of a user ends, or empty. https, or
   * http on a loopback host, without fragment (OpenID Connect Back-Channel Logout section 2.2).
   */
  readonly backchannelLogoutUri: string;
  /** Its logout tokens must have the claim sid. */
  readonly backchannelLogoutSessionRequired: boolean;
  /**
   * The address that the user's browser loads in a frame at logout, or empty. Its scheme, host and port must
   * be those of a redirect URI (OpenID Connect Front-Channel Logout section 2). It is used only if the
   * operator has switched front-channel logout on.
   */
  readonly frontchannelLogoutUri: string;
  /** Its front-channel logout URI must get the parameters iss and sid. */
  readonly frontchannelLogoutSessionRequired: boolean;
  /**
   * It must push its authorization requests (PAR) to the server before the browser comes. A request whose
   * parameters come through the browser is then invalid_request (RFC 9126 section 6). The setting
   * authorization.requirePushedRequests asks the same of all clients.
   */
  readonly requirePushedAuthorizationRequests: boolean;
  /**
   * It must send its authorization requests as signed request objects. A request with a parameter that no key
   * of the client has signed is then invalid_request (RFC 9101 section 10.5). The setting
   * authorization.requireSignedRequests asks the same of all clients.
   */
  readonly requireSignedRequestObject: boolean;
  /**
   * The one algorithm of its request objects; none = unsigned ones alone; empty = each that fits its keys, or
   * unsigned. The parameter request of an authorization request holds a request object (RFC 9101, OpenID
   * Connect Core section 6). A signed one needs jwks or jwksUri. No profile takes unsigned ones.
   */
  readonly requestObjectSigningAlg: '' | 'none' | 'RS256' | 'ES256' | 'EdDSA' | 'PS256';
  /**
   * The https URLs from which the server fetches request objects of the client. They are compared character
   * by character. A fragment can be the base64url SHA-256 of the object, and says that an object with another
   * one is newer (OpenID Connect Core section 6.2). They are used only if the setting
   * authorization.requestUris is true.
   */
  readonly requestUris: readonly string[];
  /**
   * Texts by name, read by authentication modules. At most 8192 bytes together. In a change, null removes a
   * name.
   */
  readonly attributes: Readonly<Record<string, string>>;
}

/** A client application of a resource server. */
export interface ClientWithSecret extends Client {
  /** Its client_secret; returned on creation and rotation only. A public client has no secret. */
  readonly secret?: string;
}

/** A client application of a resource server. */
export interface ChangedClient extends Client {
  /**
   * Fields that this change has set to false, because the caller is not an administrator; absent if there are
   * none.
   */
  readonly reset?: readonly ('skipConsent' | 'trusted' | 'keepsUserData')[];
}

/** An access token that was issued and not revoked. Expired tokens are listed until they are purged. */
export interface AccessToken extends AccessTokenFields {
  /** The client to which the token was issued. */
  readonly clientId: string;
  /**
   * Id of the token record. It is not the token. Of a JWT it is the claim jti, and a sealed text by which the
   * token is found for a day.
   */
  readonly id: string;
  /** The format of the token. A jwt (RFC 9068) is in no list, is found by its text, and cannot be changed. */
  readonly format: 'opaque' | 'jwt';
  /**
   * Principal name of the resource owner who granted the token; the clientId if the client acts for itself.
   */
  readonly resourceOwnerId: string;
  /**
   * The identity provider of that name. The same name at another identity provider is another resource owner.
   */
  readonly resourceOwnerAuthority: string;
  /**
   * Whether the client acts for itself and belongs to another owner. Then this is what the token gives at
   * resource servers of the caller: nothing else of it is shown or ended.
   */
  readonly part: boolean;
  /** The key or certificate of the client to which the token is bound (RFC 7800). A bearer token has none. */
  readonly cnf?: {
    /** SHA-256 thumbprint of the key of DPoP proofs (RFC 9449, section 6.1). */
    readonly jkt?: string;
    /** SHA-256 thumbprint of the certificate (RFC 8705, section 3.1). */
    readonly 'x5t#S256'?: string;
  };
  /** Time of issue, in epoch milliseconds. */
  readonly creationDate: number;
  /** The resource owner, as in answers to resource servers. */
  readonly principal: Principal;
}

/** The fields of AccessToken that a request sets. */
export interface AccessTokenFields {
  /** The granted scopes. A change can only remove scopes. */
  readonly scopes: readonly string[];
  /**
   * Time of expiry, in epoch milliseconds; 0 = never. Unless the caller is an administrator, it cannot be
   * later than the token lifetime of the client permits.
   */
  readonly expires: number;
}

/** An access token that was issued and not revoked. Expired tokens are listed until they are purged. */
export interface AccessTokenWithValue extends AccessToken {
  /** The token. Only the answer to its creation contains it. */
  readonly token: string;
}

/** What was revoked of what was issued since a time. */
export interface RevokedIssue {
  /** Grants with all their tokens. */
  readonly grants: number;
  /** Stored access tokens with which clients acted for themselves. */
  readonly accessTokens: number;
  /** The clientId of each client that gets JWTs and only acts for itself: all its tokens are revoked. */
  readonly clients: readonly string[];
  /**
   * The clientId of each client that gets JWTs for itself, and acts for users too or is of another owner. Its
   * JWTs for itself stay valid until they expire, or until all its tokens are revoked.
   */
  readonly remaining: readonly string[];
}

/** A local account, with which a user logs in by username and password, or by passkey. */
export interface Account extends AccountFields {
  /** The name with which the user logs in. It is compared character by character. */
  readonly username: string;
  /** Id of the account. An account that is created again has another one. */
  readonly id: string;
  /**
   * Whether the user has set a password. Without one the user logs in with a passkey, or at another identity
   * provider.
   */
  readonly hasPassword: boolean;
  /** When the last reset link expires, in epoch milliseconds; null when it was redeemed or ended. */
  readonly resetLinkExpires: number | null;
  /** Identifies the user: sub of introspection. No other user ever has it. */
  readonly subject: string;
  /** When the account was created, in epoch milliseconds. */
  readonly creationDate: number;
  /**
   * When the user last logged in, in epoch milliseconds; null if that was not in the last 31 days, or is no
   * longer in the audit log. Only in a list that asks for it.
   */
  readonly lastLogin?: number | null;
}

/** The fields of Account that a request sets. */
export interface AccountFields {
  /** The name that pages show. */
  readonly displayName: string;
  /** E-mail address of the person, or empty. Several accounts can have the same one. */
  readonly email: string;
  /**
   * It is certain that the e-mail address belongs to the person. Becomes false with another address, unless
   * the same change sets it.
   */
  readonly emailVerified: boolean;
  /** Given names of the person, or empty. */
  readonly givenName: string;
  /** Family names of the person, or empty. */
  readonly familyName: string;
  /** Casual name of the person, or empty. */
  readonly nickname: string;
  /** Https URL of a picture of the person, or empty. The server never fetches it. */
  readonly picture: string;
  /** Language of the person as a tag of BCP 47 such as nl or de-AT, or empty. */
  readonly locale: string;
  /** Time zone of the person as IANA names it, such as Europe/Amsterdam, or empty. */
  readonly zoneinfo: string;
  /**
   * Phone number of the person with + and the country code, or empty. Spaces, hyphens, parentheses and an
   * extension (;ext=5678) are permitted.
   */
  readonly phoneNumber: string;
  /**
   * It is certain that the phone number belongs to the person. Becomes false with another number, unless the
   * same change sets it.
   */
  readonly phoneNumberVerified: boolean;
  /**
   * Postal address of the person: texts for formatted, streetAddress, locality, region, postalCode, country.
   * In a change, null or an empty text removes one.
   */
  readonly address: {
    readonly formatted?: string;
    readonly streetAddress?: string;
    readonly locality?: string;
    readonly region?: string;
    readonly postalCode?: string;
    readonly country?: string;
  };
  /** Roles of the principal, for resource servers. */
  readonly roles: readonly string[];
  /** Groups of the principal, for resource servers. */
  readonly groups: readonly string[];
  /** Whether the user is an administrator, who sees and changes every record. */
  readonly adminPrincipal: boolean;
  /** Whether no login is possible. */
  readonly disabled: boolean;
}

/** A local account, with which a user logs in by username and password, or by passkey. */
export interface AccountWithResetLink extends Account {
  /**
   * The address at which the user sets a password, or adds a passkey, once and within an hour. Only this
   * answer contains it.
   */
  readonly resetLink: string;
}

/** A local account, with which a user logs in by username and password, or by passkey. */
export interface ChangedAccount extends Account {
  /** What ended with this change: login sessions, and grants with all their tokens. */
  readonly ended: OwnerRevocation;
}

/** A local account, with which a user logs in by username and password, or by passkey. */
export interface ChangedAccountWithResetLink extends ChangedAccount {
  /**
   * The address at which the user sets a password, or adds a passkey, once and within an hour. Only this
   * answer contains it.
   */
  readonly resetLink: string;
}

/** A link with which a person of another identity provider logs in to a local account. */
export interface AccountLink {
  /** Name of the authenticator with which the person logs in. */
  readonly authenticator: string;
  /** Identity provider of the person. */
  readonly identityProvider: string;
  /** Name of the person there, when the link was made. */
  readonly name: string;
  /** When the link was made, in epoch milliseconds. */
  readonly creationDate: number;
  /** The last login with the link, in epoch milliseconds; 0 if there was none. */
  readonly lastUsed: number;
}

/** What came of the accounts of one request. */
export interface AccountImport {
  /** False after a dry run, and if one is refused: then nothing is stored. */
  readonly stored: boolean;
  readonly accounts: readonly ImportedAccountOutcome[];
}

/** What came of one account. */
export interface ImportedAccountOutcome {
  /** Its place in the request, from 0 on. */
  readonly index: number;
  /** Empty if it has none. */
  readonly username: string;
  /** An account that exists stays as it is; it is different if the request says something else of it. */
  readonly outcome: 'created' | 'unchanged' | 'different' | 'refused';
  /** Names of the fields that differ, or why it is refused. */
  readonly details: readonly string[];
}

/** A factor with which a person logs in, beside a password or a login elsewhere. */
export interface Factor {
  readonly id: string;
  /** Identifies the person: sub of introspection. */
  readonly subject: string;
  /** Principal name of the person. */
  readonly resourceOwnerId: string;
  /** The identity provider of that name. */
  readonly identityProvider: string;
  /**
   * totp: an app for one-time codes. recovery_code: all codes that are left. trusted_browser: a browser that
   * needs no second factor for some days.
   */
  readonly kind: 'passkey' | 'totp' | 'recovery_code' | 'trusted_browser';
  /** By which the person knows it; empty of recovery codes. */
  readonly name: string;
  /** Of recovery codes, those that are left; else 1. */
  readonly count: number;
  /** When it was added, in epoch milliseconds. */
  readonly creationDate: number;
  /** The last use, in epoch milliseconds; 0 if there was none. */
  readonly lastUsed: number;
}

/** How many people have which factors. */
export interface FactorStatistics {
  /** Local accounts that are not disabled. */
  readonly accounts: {
    /** All of them. */
    readonly people: number;
    /** Those with a passkey. */
    readonly passkey: number;
    /** Those with an app for one-time codes. */
    readonly totp: number;
    /** Those with a recovery code that is left. */
    readonly recoveryCodes: number;
    /** Those with neither a passkey nor an app. */
    readonly none: number;
  };
  /** Those of them that are administrators. */
  readonly administrators: {
    /** All of them. */
    readonly people: number;
    /** Those with a passkey. */
    readonly passkey: number;
    /** Those with an app for one-time codes. */
    readonly totp: number;
    /** Those with a recovery code that is left. */
    readonly recoveryCodes: number;
    /** Those with neither a passkey nor an app. */
    readonly none: number;
  };
  /** People of other identity providers who have a factor here. */
  readonly others: {
    /** All of them. */
    readonly people: number;
    /** Those with a passkey. */
    readonly passkey: number;
    /** Those with an app for one-time codes. */
    readonly totp: number;
    /** Those with a recovery code that is left. */
    readonly recoveryCodes: number;
  };
}

/**
 * An invitation to make a local account, with a username and a password that the person chooses, or a
 * passkey.
 */
export interface Invitation extends InvitationFields {
  /** Id of the invitation. */
  readonly id: string;
  /** Whether the link was mailed to the address. It is, if there is one and mail is set up. */
  readonly mailed: boolean;
  /** Name of the administrator who invited the person. */
  readonly invitedBy: string;
  /** When the invitation was made, in epoch milliseconds. */
  readonly creationDate: number;
  /** When the link expires, in epoch milliseconds. */
  readonly expires: number;
}

/** The fields of Invitation that a request sets. */
export interface InvitationFields {
  /** E-mail address of the person, or empty. The account has it: verified, if the invitation was mailed. */
  readonly email: string;
  /** Language of the mail, a tag of BCP 47 such as nl or de-AT. Default, and empty: English. */
  readonly locale: string;
  /** Groups of the account. */
  readonly groups: readonly string[];
  /** Roles of the account. */
  readonly roles: readonly string[];
  /** Whether the account is made with a passkey, and has no password. */
  readonly passkey: boolean;
  /** For administrators, such as the name of the person. */
  readonly note: string;
}

/**
 * An invitation to make a local account, with a username and a password that the person chooses, or a
 * passkey.
 */
export interface InvitationWithLink extends Invitation {
  /**
   * The address at which the person makes the account, once. Only this answer contains it, and only if the
   * link was not mailed.
   */
  readonly link?: string;
}

/** What a person was asked by mail to confirm, with a link and a code that work once. */
export interface Confirmation {
  readonly id: string;
  /**
   * reset_password: a new password for the account. change_address: the new address of the account. sign_up:
   * the address of a person who has no account yet.
   */
  readonly purpose: 'reset_password' | 'change_address' | 'sign_up';
  /** Id of the account; null for sign_up. */
  readonly accountId: string | null;
  /** Username of the account; null for sign_up. */
  readonly username: string | null;
  /** The e-mail address to which the mail went. */
  readonly address: string;
  /** When it was asked for, in epoch milliseconds. */
  readonly creationDate: number;
  /** When the link expires, in epoch milliseconds. */
  readonly expires: number;
}

/**
 * Who signs assertions for a client, and which. Its keys are here by value, at a URL, or, without both, where
 * the setting clients.assertionIssuers says.
 */
export interface AssertionIssuer {
  /** iss; spiffe:// and the trust domain if there is none. */
  readonly issuer: string;
  /** aud. */
  readonly audience: string;
  /** sub, or its beginning and *. */
  readonly subject: string;
  readonly jwks: KeySet;
  /** An https URL of the keys, or empty. */
  readonly jwksUri: string;
}

/**
 * Public keys (RFC 7517 section 5). Of the members of a key those are kept that are described here; one with
 * a private member is refused.
 */
export interface KeySet {
  readonly keys: readonly {
    readonly kty: string;
    readonly use?: string;
    readonly key_ops?: readonly string[];
    readonly alg?: string;
    readonly kid?: string;
    readonly crv?: string;
    readonly x?: string;
    readonly y?: string;
    readonly n?: string;
    readonly e?: string;
  }[];
}

/** A secret of a client. */
export interface ClientSecret extends ClientSecretFields {
  /** Its number: a newer secret has a greater one. */
  readonly id: number;
  /** When it was made, in epoch milliseconds; null if an earlier release made it. */
  readonly creationDate: number | null;
  /**
   * When the client last authenticated with it, in epoch milliseconds, up to about a minute ago; null if it
   * never did.
   */
  readonly lastUsed: number | null;
}

/** The fields of ClientSecret that a request sets. */
export interface ClientSecretFields {
  /** Where it is used, for people: at most 255 characters. */
  readonly description: string;
  /** When it ends, in epoch milliseconds. Default, and 0: never. */
  readonly expires: number;
}

/** A secret of a client. */
export interface ClientSecretWithValue extends ClientSecret {
  /** The secret itself. Only the answer to its making contains it. */
  readonly secret: string;
}

/** A right of a client that acts for itself. */
export interface Right {
  readonly clientId: string;
  readonly clientName: string;
  /**
   * Read or write; write includes read. records: resource servers and clients of the client itself, also
   * where others cannot register any. records:all: those of everyone. accounts: local accounts, invitations
   * and factors. grants: what users granted, access tokens and login sessions. audit, errors, keys: the audit
   * log, refused requests, and the keys of the server.
   */
  readonly right:
    | 'records:read'
    | 'records:write'
    | 'records:all:read'
    | 'records:all:write'
    | 'accounts:read'
    | 'accounts:write'
    | 'grants:read'
    | 'grants:write'
    | 'audit:read'
    | 'errors:read'
    | 'keys:read'
    | 'keys:write';
  /** The administrator who gave it. It ends with their own status. */
  readonly givenBy: string;
  /** The identity provider of givenBy. */
  readonly givenByAuthority: string;
  /** Epoch milliseconds. */
  readonly creationDate: number;
}

/** What a client can administer. */
export interface GivenRights {
  readonly rights: readonly Right[];
}

/** A configuration, as it was applied last. */
export interface AppliedConfiguration {
  readonly name: string;
  /** Records that it manages. */
  readonly records: number;
  /** Epoch milliseconds of the last change. */
  readonly appliedAt: number;
  /** Name of who made it. */
  readonly appliedBy: string;
  /** Whether the database was restored from a backup since: apply the configuration again. */
  readonly restored: boolean;
}

/** What an application changes. */
export interface ConfigurationPlan {
  /** Of the configuration. */
  readonly name: string;
  /** Its records that are as it says. */
  readonly unchanged: number;
  readonly changes: readonly {
    readonly recordType: 'resourceServer' | 'client';
    /** The key, or the clientId. */
    readonly name: string;
    /**
     * takeOver: it was made by hand. letGo: it stays, and is changed by hand. follow: it is not in the
     * configuration, and changes with a record that is.
     */
    readonly action: 'create' | 'change' | 'takeOver' | 'delete' | 'letGo' | 'follow';
    readonly fields: readonly {
      readonly field: string;
      readonly before?: unknown;
      readonly after?: unknown;
    }[];
  }[];
}

/** What administrators decided about the hosts of clients that documents describe. */
export interface ClientHost {
  /** A host name or address, or *. and a name for all names below it. */
  readonly pattern: string;
  /** Whether clients of these hosts are allowed. */
  readonly effect: 'allow' | 'block';
  /** Why, for other administrators. */
  readonly note: string;
  /** Epoch milliseconds. */
  readonly modificationDate: number;
}

/** The same after a change. */
export interface DecidedClientHost {
  /** A host name or address, or *. and a name for all names below it. */
  readonly pattern: string;
  /** Whether clients of these hosts are allowed. */
  readonly effect: 'allow' | 'block';
  /** Why, for other administrators. */
  readonly note: string;
  /** Epoch milliseconds. */
  readonly modificationDate: number;
  /** Clients that are not allowed any more, and have ended. */
  readonly ended: number;
}

/** A client that nobody registered here: a document describes it, or it registered itself. */
export interface DescribedClient {
  /** Its record id. */
  readonly id: number;
  /** Record id of the home of such clients. */
  readonly resourceserver_id: number;
  /** The URL of its document, unless it registered itself. */
  readonly clientId: string;
  /** What it calls itself, with the host of its document behind it. */
  readonly clientName: string;
  /**
   * The host of its document, which is responsible for it; null if it registered itself: nobody vouches for
   * its name.
   */
  readonly host: string | null;
  /** Whether new requests of it are accepted. */
  readonly allowed: boolean;
  /** Resource owners with a valid grant, among its newest 1000 grants. */
  readonly users: number;
  /** What these grants give it of OpenID Connect. */
  readonly scopes: readonly string[];
  /** What they give it at resource servers. */
  readonly otherResourceServers: readonly {
    readonly resourceServerId: number;
    readonly resourceServerName: string;
    readonly scopes: readonly string[];
  }[];
  /** Epoch milliseconds: the hour in which a token was last issued; null if none was in the last month. */
  readonly lastIssued: number | null;
}

/** How many clients ended. */
export interface EndedClients {
  /** Clients that were deleted, with all that users gave them. */
  readonly clients: number;
}

/**
 * Access of a client on behalf of a resource owner: a grant under which a code or a token can be valid, or a
 * consent that is remembered after its grant has ended.
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
  /** Record id of the resource server of the client; of a part, of one of the caller. */
  readonly resourceServerId: number;
  readonly resourceServerName: string;
  /** Granted scopes that the client still has. Empty of a consent alone. */
  readonly scopes: readonly string[];
  /**
   * Remembered consent: the client gets these scopes again without a question. Empty when the resource owner
   * will be asked.
   */
  readonly consentedScopes: readonly string[];
  /** The same at other resource servers than that of the client (RFC 8707). */
  readonly otherResourceServers: readonly {
    readonly resourceServerId: number;
    readonly resourceServerName: string;
    readonly scopes: readonly string[];
    readonly consentedScopes: readonly string[];
  }[];
  /** When it was granted, in epoch milliseconds. */
  readonly creationDate: number;
  /**
   * When a token was last issued under it, in epoch milliseconds. Requests to resource servers do not change
   * it. null of a consent alone.
   */
  readonly lastUsed: number | null;
  /** Whether the client has a refresh token that it can use. */
  readonly refreshToken: boolean;
  /** Access tokens that have not expired; 0 of a part. */
  readonly accessTokens: number;
  /**
   * Whether the client belongs to another owner. Then this is what it can do at resource servers of the
   * caller, lastUsed is the creation date, and nothing else of the grant is shown or ended.
   */
  readonly part: boolean;
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

/** A login in one browser, which is valid for several clients. */
export interface LoginSession {
  readonly id: string;
  /** The authenticator with which the user logged in. */
  readonly authenticator: string;
  /** The identity provider of the name, as in grants and accounts. */
  readonly identityProvider: string;
  /** Principal name of the user. */
  readonly resourceOwnerId: string;
  /**
   * Browser and system, such as "Firefox, Linux", as the browser reports them; empty if they are not known.
   */
  readonly device: string;
  /** Network address from which the user logged in; empty if it is not known. */
  readonly source: string;
  /**
   * Where that address is: the names of town and country, each by language (BCP 47), the smaller place first.
   * Empty without the setting pages.placeDatabase.
   */
  readonly places: readonly Readonly<Record<string, string>>[];
  /** Time of the login, in epoch milliseconds. */
  readonly creationDate: number;
  /** Time of the last use that was stored, in epoch milliseconds: not every use is stored. */
  readonly lastUsed: number;
  /**
   * When the session ends, in epoch milliseconds. It ends sooner if it is not used for session.idleLifetime.
   */
  readonly expires: number;
}

/**
 * A logout token for a client that has not accepted it. It is kept for a week after the end of the session.
 */
export interface LogoutDelivery {
  readonly id: string;
  /** The client that gets the logout token. */
  readonly clientId: string;
  /** Its back-channel logout URI, as it is registered now. */
  readonly uri: string;
  /** The claim sid of its ID tokens in the session. */
  readonly sid: string;
  /** When the session ended, in epoch milliseconds. */
  readonly endedAt: number;
  /** Number of attempts that failed. */
  readonly attempts: number;
  /**
   * Time of the next attempt, in epoch milliseconds; null when there is none, because the client has rejected
   * the token or the last attempt failed.
   */
  readonly nextAttempt: number | null;
  /** Why the last attempt failed. */
  readonly failure: string | null;
}

/** The resource owner of the token, with the fields that the authentication module returned. */
export interface Principal {
  readonly name: string;
  readonly roles: readonly string[];
  readonly groups: readonly string[];
  /** The resource owner is an administrator, who can see and change all records. */
  readonly adminPrincipal: boolean;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Who may register records, and make accounts. */
export interface Registration {
  /** The setting administration.registration: everyone, administrators, or group: and the name of a group. */
  readonly registration: string;
  /** The caller may register resource servers, and clients of its own resource servers. */
  readonly mayRegister: boolean;
  /**
   * Who makes a local account, as the setting registration says: off for administrators alone, invitation for
   * the people whom they invite too, open for everybody with an e-mail address too. It is off on a server
   * without local accounts.
   */
  readonly accounts: 'off' | 'invitation' | 'open';
}

/**
 * An identity provider whose users have login sessions, grants or consents: an authentication module, or an
 * identity provider that a module names.
 */
export interface IdentityProvider {
  /** Its name: the name of a module such as password, or an entity id. */
  readonly identityProvider: string;
  /**
   * Whether this node is configured with it. If not, the tokens and sessions of its users are not valid. null
   * while this is unknown.
   */
  readonly configured: boolean | null;
  /** Login sessions of its users. */
  readonly loginSessions: number;
  /** Grants of its users, with all their tokens. */
  readonly grants: number;
  /** Stored consents of its users. */
  readonly consents: number;
}

/** Numbers of the sessions, grants and consents of its users. */
export interface IdentityProviderUse {
  /** Login sessions of its users. */
  readonly loginSessions: number;
  /** Grants of its users, with all their tokens. */
  readonly grants: number;
  /** Stored consents of its users. */
  readonly consents: number;
}

/** A way to log in: an authenticator of the configuration, or one that an administrator set up. */
export interface Authenticator {
  /** Its name, which is a part of the identity of its users. */
  readonly name: string;
  /** Where it is set up. */
  readonly origin: 'configuration' | 'database';
  /** The kind of identity provider. null for one of the configuration. */
  readonly kind: string | null;
  /** The module of one of the configuration. */
  readonly module: string | null;
  /** Where the configuration names it. */
  readonly setting: string | null;
  /** What users read where they choose how to log in. */
  readonly label: string;
  /** Whether users can log in. Sessions and tokens of those who did stay valid. */
  readonly enabled: boolean;
  /** The fields of its kind; null in lists, and for one of the configuration. */
  readonly settings: Readonly<Record<string, string | boolean | readonly string[]>> | null;
  /** Epoch milliseconds. */
  readonly creationDate: number | null;
  /** Epoch milliseconds. */
  readonly modificationDate: number | null;
  /** What is wrong with it on this node, in sentences. */
  readonly problems: readonly string[];
  /**
   * What the other side must know of this server: entityId, metadata, acs of SAML; callback,
   * backchannelLogout, signedOut of OpenID Connect.
   */
  readonly addresses: readonly {
    readonly name: string;
    readonly value: string;
  }[];
  /** The identity providers behind it, some dozens at most. */
  readonly identityProviders: readonly {
    /** As users and grants name it. */
    readonly identityProvider: string;
    readonly name: string;
    /** When its description expires. */
    readonly validUntil: number | null;
    readonly certificates: readonly {
      readonly subject: string;
      /** SHA-256 of the certificate. */
      readonly fingerprint: string;
      /** Its end, in epoch milliseconds. */
      readonly validUntil: number;
    }[];
  }[];
  /** Number of all identity providers behind it. */
  readonly total: number;
}

/** A test login that waits for a browser. */
export interface StartedTest {
  /** A secret, with which what came is read. */
  readonly testId: string;
  /** The address at which a browser begins it, once and within ten minutes. */
  readonly url: string;
}

/** What came of a test login, and what the rules made of it. */
export interface TestLogin {
  /** false: nothing came yet, or it was read before. */
  readonly isFinished: boolean;
  /** What the identity provider said: values by name. */
  readonly received: Readonly<Record<string, readonly string[]>>;
  /** Why the rules refuse the user. */
  readonly refusal: string | null;
  /** The identity provider of the user. */
  readonly identityProvider: string | null;
  /** The name of the user. */
  readonly name: string | null;
  /** From which the subject of the user is made; null: from the name. */
  readonly stableId: string | null;
  /** How strong the login is. */
  readonly acr: string | null;
  readonly roles: readonly string[];
  readonly groups: readonly string[];
  /** Whether the user is an administrator. */
  readonly adminPrincipal: boolean;
  readonly attributes: Readonly<Record<string, string>>;
}

/** A resource owner: a name, and the identity provider that authenticates the user of that name. */
export interface ResourceOwner {
  /** Principal name, exactly as in the access token records. */
  readonly resourceOwnerId: string;
  /** The identity provider of the name, exactly as in the access token records. */
  readonly resourceOwnerAuthority: string;
}

/** The number of revoked or removed rows of each kind. */
export interface OwnerRevocation {
  /** Grants with all their tokens. */
  readonly grants: number;
  readonly loginSessions: number;
}

/** A key that the server signs JWTs with. Its private half is never in an answer. */
export interface SigningKey {
  /** Identifies the key in JWTs and in the JWKS. */
  readonly kid: string;
  /** The only algorithm that the key is used with. */
  readonly algorithm: 'RS256' | 'ES256' | 'EdDSA' | 'PS256';
  /**
   * published: in the JWKS, so that all caches know it before it signs. signing: signs. retiring: in the JWKS
   * until the last token that it signed has expired. retired: only verifies an id_token_hint. compromised:
   * verifies nothing.
   */
  readonly state: 'published' | 'signing' | 'retiring' | 'retired' | 'compromised';
  /** When it was published, in epoch milliseconds. */
  readonly publishedAt: number;
  /** When it begins to sign, in epoch milliseconds. */
  readonly signsFrom: number;
  /** When it ends to sign, which can be in the future; null if no key follows it yet. */
  readonly retiredAt: number | null;
  /** When an administrator reported that another party can have the private half; null if none did. */
  readonly compromisedAt: number | null;
  /** When it leaves the JWKS, in epoch milliseconds; null if no key follows it yet. */
  readonly publishedUntil: number | null;
  /** Where the private half is: sealed in the database, or in the key management system. */
  readonly privateKey: 'database' | 'kms' | 'erased';
  /** Why this node cannot use the private half, with advice; null if it can, or does not need to. */
  readonly problem: string | null;
  /** The public half as a JSON Web Key, as /oauth2/jwks has it. */
  readonly publicKey: Readonly<Record<string, string>>;
  /** The public half as PEM. */
  readonly publicKeyPem: string;
}

/** The key of each algorithm that signs next. */
export interface RotatedSigningKeys {
  readonly keys: readonly SigningKey[];
}

/** A key that was retired, and the one that signs next. */
export interface RetiredSigningKey {
  readonly key: SigningKey;
  /** null: the server makes one when it signs. */
  readonly next: SigningKey | null;
  /**
   * The name in the key management system of the private half of a compromised key, if it could not be
   * removed there; an administrator of that system must do it.
   */
  readonly remaining: string | null;
}

/** A key that seals forms and the cursors of lists. The key itself is never in an answer. */
export interface SealingKey {
  readonly id: string;
  /** When it was made, in epoch milliseconds. */
  readonly creationDate: number;
}

/** A setting of this node. */
export interface Setting {
  /** Its name in a file, with dots between the parts. */
  readonly name: string;
  /**
   * The effective value; null if there is none, or if it is a secret. Of options, which can be secrets, only
   * the names are here: each value is ***.
   */
  readonly value: string | number | boolean | readonly unknown[] | Readonly<Record<string, unknown>> | null;
  /** Whether the value, or a part of it, is left out. */
  readonly hidden: boolean;
  /** The kind of source that the value came from. */
  readonly origin: 'flag' | 'environment' | 'file' | 'default';
  /** The flag, the variable or the path of the file that the value came from; null for a default. */
  readonly place: string | null;
  /** The flag of watchword serve that sets it. */
  readonly flag: string;
  /** The environment variable that sets it. */
  readonly environmentVariable: string;
  /** null if there is none, or if the description says what it is. */
  readonly default: string | number | boolean | readonly unknown[] | Readonly<Record<string, unknown>> | null;
  readonly description: string;
  /** Path of its description for people, at this server. */
  readonly documentation: string;
}

/** A record, or the settings of the server, with what a profile forbids in it. */
export interface LintedRecord {
  readonly recordType: 'settings' | 'resourceServer' | 'client';
  /** Record id; null for the settings. */
  readonly id: number | null;
  /** The clientId or the key; null for the settings. */
  readonly name: string | null;
  /** Its name for people; null for the settings. */
  readonly title: string | null;
  /** Record id of the resource server of a client. */
  readonly resourceserver_id: number | null;
  /** The profile that has the rules. */
  readonly profile: 'oauth-2.1' | 'mcp' | 'fapi-2.0';
  readonly findings: readonly {
    /** Its stable name, which errors of requests have too. */
    readonly rule: string;
    /** The section of the specification that has the rule. */
    readonly section: string;
    /** The rule in words. */
    readonly requirement: string;
    /** The field of the record, or the path of the setting. */
    readonly field: string;
    /** What is wrong with it: the part of a sentence that follows its name. */
    readonly problem: string;
    /** What mends it, in words. */
    readonly advice: string;
    /**
     * The command that mends the record, with words in capitals for what must be decided; null for a setting.
     */
    readonly command: string | null;
  }[];
}

/**
 * An initial access token (RFC 7591 section 3): whoever has it can register clients at the server, where the
 * setting clients.registration is tokens.
 */
export interface InitialToken extends InitialTokenFields {
  /** Its id. */
  readonly id: string;
  /** How many clients were registered with it. */
  readonly clients: number;
  /** When it was made, in epoch milliseconds. */
  readonly creationDate: number;
  /** When it ends, in epoch milliseconds; 0 = never. */
  readonly expires: number;
}

/** The fields of InitialToken that a request sets. */
export interface InitialTokenFields {
  /** Who gets it, for other administrators. */
  readonly note: string;
  /** How many clients can be registered with it. Default, and 0: any number. */
  readonly maxClients: number;
}

/**
 * An initial access token (RFC 7591 section 3): whoever has it can register clients at the server, where the
 * setting clients.registration is tokens.
 */
export interface InitialTokenWithValue extends InitialToken {
  /** The token itself. Only the answer to its making contains it. */
  readonly token: string;
}

/** How pages look and what they say, as administrators set it. */
export interface Branding {
  /** The name of the server on its pages. */
  readonly productName: string;
  /** The picture beside the name, as a data URL. */
  readonly logo: string;
  /** Colours by name, for light colour schemes. */
  readonly lightColours: Readonly<Record<string, string>>;
  /** Colours by name, for dark colour schemes. */
  readonly darkColours: Readonly<Record<string, string>>;
  /** Texts of pages by language and key: de/login.title. */
  readonly texts: Readonly<Record<string, string>>;
  /** Epoch milliseconds; 0 if it was never set. */
  readonly modificationDate: number;
  /** The languages of the pages. */
  readonly languages: readonly string[];
  /** The settings of the configuration that come before it. */
  readonly settings: readonly string[];
}

/** Pages with a draft, for an hour. */
export interface BrandingPreview {
  /** Path of the pages at this server. The name of a state follows. */
  readonly url: string;
  /** Epoch milliseconds. */
  readonly expires: number;
}

/** What pages say in a language. */
export interface PageTexts {
  /** The texts by their keys, without the branding; in English where the language lacks one. */
  readonly texts: Readonly<Record<string, string>>;
  /** All pages in all states. */
  readonly states: readonly {
    readonly name: string;
    readonly label: string;
  }[];
}

/** A request about a client that ended in an error, and the reason. */
export interface RequestError {
  readonly id: string;
  /** Time of the request, in epoch milliseconds. */
  readonly time: number;
  /** The client, as it is registered now. */
  readonly client: {
    /** Record id. */
    readonly id: number;
    readonly clientId: string;
    readonly clientName: string;
    readonly resourceserver_id: number;
  };
  readonly endpoint:
    | 'token'
    | 'authorization'
    | 'pushedAuthorization'
    | 'revocation'
    | 'introspection'
    | 'tokenInfo'
    | 'logout';
  /** The error code of the answer. */
  readonly error: string;
  /** What was expected, and what came. It has no secret, token or code. */
  readonly reason: string;
  /** Name of the rule that refused the request. */
  readonly rule: string | null;
  /** What the rule expected of this request, in a few words. */
  readonly expected: string | null;
  /**
   * What came instead, in a few words. Tokens, codes and generated secrets appear by a fingerprint, passwords
   * not at all.
   */
  readonly came: string | null;
  /**
   * Whether the client proved its identity with its secret. Anybody who knows the clientId can cause the
   * other errors.
   */
  readonly authenticated: boolean;
  /** Id of the request in its answer and in the log of the server. */
  readonly requestId: string | null;
}

/** Why one request was refused, and what mends it. */
export interface RequestErrorExplanation {
  /** Id of the request in its answer and in the log of the server. */
  readonly requestId: string;
  /** Time of the request, in epoch milliseconds. */
  readonly time: number;
  /** The client, as it is registered now; null if the request names none. */
  readonly client: {
    /** Record id. */
    readonly id: number;
    readonly clientId: string;
    readonly clientName: string;
    readonly resourceserver_id: number;
  } | null;
  /** Name of the endpoint as in RequestError, or its address if the request names no client. */
  readonly endpoint: string;
  /**
   * Whether the client proved its identity with its secret. Anybody who knows the clientId can cause the
   * other errors.
   */
  readonly authenticated: boolean;
  /** The error code of the answer. */
  readonly error: string;
  /** What was expected, and what came. It has no secret, token or code. */
  readonly reason: string;
  /** Name of the rule that refused the request. */
  readonly rule: string | null;
  /** What the rule expected of this request, in a few words. */
  readonly expected: string | null;
  /**
   * What came instead, in a few words. Tokens, codes and generated secrets appear by a fingerprint, passwords
   * not at all.
   */
  readonly came: string | null;
  /** The rule in words; null if this server does not know the rule. */
  readonly requirement: string | null;
  /** The specification that has the rule, with the section. */
  readonly section: string | null;
  /** Its address on the web. */
  readonly sectionUrl: string | null;
  /** The command that mends the cause, with words in capitals for what must be decided. */
  readonly command: string | null;
  /** What mends the cause, in words. */
  readonly advice: string | null;
}

/** Requests that ended in an error, by client and reason. */
export interface RequestErrorSummary {
  /** The most frequent come first, at most 100. */
  readonly requestErrors: readonly {
    /** The client, as it is registered now. */
    readonly client: {
      /** Record id. */
      readonly id: number;
      readonly clientId: string;
      readonly clientName: string;
      readonly resourceserver_id: number;
    };
    /** The error code of the answer. */
    readonly error: string;
    /** What was expected, and what came. It has no secret, token or code. */
    readonly reason: string;
    readonly requests: number;
    /** Time of the last of them, in epoch milliseconds. */
    readonly lastTime: number;
    /** Id of the last of them. */
    readonly lastRequestId: string | null;
  }[];
  /**
   * Number of errors of authenticated clients that this node did not store since its start, because it was
   * busy. They are missing after a restart, and at other nodes.
   */
  readonly dropped: number;
}

/** One change to a record, or one login, logout, grant or withdrawal of consent. */
export interface AuditEvent {
  readonly id: string;
  /** Time of the event, in epoch milliseconds. */
  readonly time: number;
  /** The actor: the name of a principal, or the operating system user of a command. */
  readonly actor: string;
  /** The identity provider of that name; "cli" for the command line, "system" for the server itself. */
  readonly actorAuthority: string;
  /**
   * The client that acted for the actor: that of the access token, or of the login; null for the pages of the
   * server, and commands.
   */
  readonly clientId: string | null;
  /** The name of that client at that time; null in an event of an older release. */
  readonly clientName: string | null;
  /**
   * Network address of the actor; empty for the command line. Only administrators get that of another actor.
   */
  readonly source: string;
  readonly action:
    | 'create'
    | 'update'
    | 'delete'
    | 'rotateSecret'
    | 'revokeTokens'
    | 'revokeGrants'
    | 'addSecret'
    | 'changeSecret'
    | 'removeSecret'
    | 'changePassword'
    | 'resetPassword'
    | 'linkProvider'
    | 'unlinkProvider'
    | 'restore'
    | 'giveRight'
    | 'endRight'
    | 'addFactor'
    | 'renameFactor'
    | 'removeFactor'
    | 'useRecoveryCode'
    | 'downloadData'
    | 'login'
    | 'logout'
    | 'grant'
    | 'withdraw';
  readonly recordType:
    | 'resourceServer'
    | 'client'
    | 'clientHost'
    | 'initialToken'
    | 'accessToken'
    | 'resourceOwner'
    | 'account'
    | 'invitation'
    | 'confirmation'
    | 'identityProvider'
    | 'loginSession'
    | 'grant'
    | 'signingKey'
    | 'branding'
    | 'database';
  readonly recordId: string;
  /** Key, clientId or principal name of the record at that time. */
  readonly recordName: string;
  /** The record owner. */
  readonly owner: string;
  readonly ownerAuthority: string;
  /** The changed fields with their values before the change. */
  readonly before: Readonly<Record<string, unknown>> | null;
  /** The changed fields with their values after the change. */
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** The numbers of one client. Of its tokens and grants only the newest 10,000 are counted. */
export interface ClientStatistics {
  /** Record id. */
  readonly id: number;
  readonly clientId: string;
  readonly clientName: string;
  readonly resourceserver_id: number;
  /** Access tokens issued to it in the hours that were asked for. */
  readonly issued: number;
  /**
   * Start of the hour in which an access token was last issued to it, in epoch milliseconds; null if none was
   * in the last month.
   */
  readonly lastIssued: number | null;
  /** Access tokens that are valid now. */
  readonly tokens: number;
  /** Resource owners with a grant that is valid now. */
  readonly resourceOwners: number;
}

/** Statistics of the records of the caller; for administrators, of all records. */
export interface Statistics {
  /** Clients, ordered by id. */
  readonly clients: readonly ClientStatistics[];
  /**
   * The clients to which most access tokens were issued in these hours, at most 10, the busiest first. Only
   * for administrators. Clients that were never among the busiest 20 of an hour are left out.
   */
  readonly busiest: readonly {
    /** Record id. */
    readonly id: number;
    readonly clientId: string;
    readonly clientName: string;
    readonly resourceserver_id: number;
    /** Access tokens issued to it in the hours that were asked for. */
    readonly issued: number;
    /**
     * Start of the hour in which an access token was last issued to it, in epoch milliseconds; null if none
     * was in the last month.
     */
    readonly lastIssued: number | null;
  }[];
  /**
   * The maximum number of tokens, and of grants, that are counted for each client. Only the newest are
   * counted.
   */
  readonly countLimit: number;
  /** Issued tokens. An hour without issued tokens is left out. */
  readonly issued: readonly {
    /** Start of the hour, in epoch milliseconds. */
    readonly time: number;
    /**
     * The grant_type of the token request; "implicit" for the implicit grant, "administration" for tokens
     * that the administration interface issued.
     */
    readonly grantType: string;
    readonly tokens: number;
  }[];
  /** Requests that this node answered with an error since its start. Only for administrators. */
  readonly errors: readonly {
    /** Name of the error. */
    readonly error: string;
    readonly requests: number;
  }[];
  readonly health?: Health;
}

/** What an administrator needs to find out whether anything is wrong. Only for administrators. */
export interface Health {
  /** Start of this node, in epoch milliseconds. */
  readonly startDate: number;
  /** The database. */
  readonly database: {
    /** Bytes on the disk. */
    readonly size: number;
    /** Bytes that are free where the database is; null if that is not known. */
    readonly free: number | null;
    /** Why writes cannot be made durable, or that damage was found; null if all is well. */
    readonly problem: string | null;
  };
  readonly work: readonly {
    /** purge, key-rotation, signing-keys or issued-counts. */
    readonly name: string;
    /**
     * When a node did it last without an error, in epoch milliseconds; null if none did since the database
     * was made or restored.
     */
    readonly lastSuccess: number | null;
    readonly running: boolean;
    /** Seconds between two runs. */
    readonly interval: number;
    /** Whether it was not done for longer than twice the interval, although this node runs. */
    readonly overdue: boolean;
  }[];
  /** Logins that failed at this node since its start. */
  readonly failedLogins: {
    /** In the last 60 minutes. */
    readonly lastHour: number;
    /** In the 60 minutes before. */
    readonly hourBefore: number;
  };
  readonly authenticators: readonly {
    readonly name: string;
    /** Sentences for the operator, such as that metadata could not be loaded again; none if all is well. */
    readonly problems: readonly string[];
  }[];
  /** Sentences about signing keys for the operator, such as that one cannot be used; none if all is well. */
  readonly signingProblems: readonly string[];
  /** Configurations whose records are not as they were applied. */
  readonly drifted: readonly {
    /** Its name. */
    readonly configuration: string;
    /** Records that differ, or are gone. */
    readonly records: number;
    readonly example: {
      readonly recordType: 'resourceServer' | 'client';
      /** The key, or the clientId. */
      readonly name: string;
    } | null;
    /** Whether the database was restored from a backup since. */
    readonly restored: boolean;
  }[];
  /** Clients that no administrator has confirmed. */
  readonly unconfirmedClients: {
    readonly count: number;
    readonly first: {
      /** Record id. */
      readonly id: number;
      readonly clientName: string;
      readonly resourceserver_id: number;
    } | null;
  };
  /** Clients whose last secret has expired, or expires within thirty days. */
  readonly expiringSecrets: {
    readonly count: number;
    readonly first: {
      /** Record id. */
      readonly id: number;
      readonly clientName: string;
      readonly resourceserver_id: number;
      /** Epoch milliseconds. */
      readonly secretExpires: number;
    } | null;
  };
}
