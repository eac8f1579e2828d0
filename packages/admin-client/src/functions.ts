// Made from the OpenAPI description of the administration interface: npm run records -w packages/admin-client

import type { Page, PageQuery } from './page.ts';
import type {
  AccessToken,
  AccessTokenFields,
  AccessTokenWithValue,
  Account,
  AccountFields,
  AccountImport,
  AccountLink,
  AccountWithResetLink,
  AppliedConfiguration,
  AuditEvent,
  Authenticator,
  Branding,
  BrandingPreview,
  ChangedAccount,
  ChangedAccountWithResetLink,
  ChangedClient,
  ChangedResourceServer,
  Client,
  ClientFields,
  ClientHost,
  ClientSecret,
  ClientSecretWithValue,
  ClientStatistics,
  ClientWithSecret,
  ConfigurationPlan,
  Confirmation,
  DecidedClientHost,
  DescribedClient,
  DescribedResourceServer,
  EndedClients,
  EndedGrants,
  Factor,
  FactorStatistics,
  GivenRights,
  Grant,
  IdentityProvider,
  IdentityProviderUse,
  InitialToken,
  InitialTokenWithValue,
  Invitation,
  InvitationWithLink,
  LintedRecord,
  LoginSession,
  LogoutDelivery,
  OpenResourceServer,
  OtherClient,
  OwnerRevocation,
  PageTexts,
  Principal,
  Registration,
  RequestError,
  RequestErrorExplanation,
  RequestErrorSummary,
  ResourceOwner,
  ResourceServer,
  ResourceServerWithSecret,
  RetiredSigningKey,
  RevokedIssue,
  Right,
  RotatedSigningKeys,
  SealingKey,
  Setting,
  SigningKey,
  StartedTest,
  TestLogin,
} from './records.ts';
import {
  type CallOptions,
  type ChangeOptions,
  conditional,
  type Requests,
  requests,
  type Versioned,
} from './requests.ts';
import { type StatisticsClient, statisticsClient } from './statistics.ts';
import type {
  AccessTokenRequest,
  AuthenticatorChange,
  ClientChange,
  ClientSecretDetails,
  ConfigurationApplication,
  ForeignSigningKey,
  NewAccount,
  NewAuthenticator,
  NewClient,
  NewInitialToken,
  NewInvitation,
  NewResourceServer,
  SigningKeyRetirement,
  SigningKeyRotation,
  SubmittedAccounts,
  SubmittedBranding,
  SubmittedClientHost,
  SubmittedResourceServer,
} from './submitted.ts';
import { type AdminClientOptions, createTransport } from './transport.ts';

/** A Client by its record id, below its resource server. */
export interface ClientAddress {
  readonly resourceServerId: number;
  readonly id: number;
}

export interface ResourceServerQuery extends PageQuery {
  /**
   * Only records with this text in name, key, description, contact or owner. Upper and lower case are the
   * same, and white space at the ends of the text is ignored.
   */
  readonly q?: string | undefined;
}

export interface RotationOptions extends CallOptions {
  /**
   * Seconds for which the old secret stays valid. Default 0: the old secret is immediately invalid. From 0 to
   * 2592000.
   */
  readonly overlap?: number | undefined;
}

/** A client of another resource server, by its record id, below the resource server that it can use. */
export interface OtherClientAddress {
  readonly resourceServerId: number;
  readonly id: number;
}

export interface ClientQuery extends PageQuery {
  /**
   * Only records with this text in name, clientId, description or contact. Upper and lower case are the same,
   * and white space at the ends of the text is ignored.
   */
  readonly q?: string | undefined;
  /** true: each client has lastIssued. */
  readonly lastIssued?: boolean | undefined;
}

/** A secret of a client, by its id, below the client. */
export interface ClientSecretAddress {
  readonly resourceServerId: number;
  readonly id: number;
  readonly secretId: number;
}

export interface DescribedClientQuery extends PageQuery {
  /**
   * Only records with this text in the name or the clientId. Upper and lower case are the same, and white
   * space at the ends of the text is ignored.
   */
  readonly q?: string | undefined;
  /** Only those whose document is at this host, with its port if it has one. */
  readonly host?: string | undefined;
  /** true: only those that registered themselves. */
  readonly registered?: boolean | undefined;
}

/** What is selected: that to which everything fits that is given. */
export interface DescribedClientSelection {
  /** Only those whose document is at this host, with its port if it has one. */
  readonly host?: string | undefined;
  /** true: only those that registered themselves. */
  readonly registered?: boolean | undefined;
  /** true: all of them. */
  readonly all?: boolean | undefined;
}

export interface RightQuery extends PageQuery {
  /** Only the rights of this client. */
  readonly clientId?: string | undefined;
}

export interface ProfileQuery extends PageQuery {
  /** Default: that of the server, or oauth-2.1 if that is compatible. */
  readonly profile?: 'oauth-2.1' | 'mcp' | 'fapi-2.0' | undefined;
  /** Only this client. */
  readonly clientId?: string | undefined;
}

export interface AccessTokenQuery extends PageQuery {
  /**
   * Only records with this text in the client's name, the clientId or the resource owner's name. Upper and
   * lower case are the same, and white space at the ends of the text is ignored.
   */
  readonly q?: string | undefined;
  /** Only tokens of this client. */
  readonly clientId?: string | undefined;
  /** Only tokens of resource owners of this name. */
  readonly resourceOwnerId?: string | undefined;
  /** true: only expired tokens. false: only tokens that have not expired. */
  readonly expired?: boolean | undefined;
}

/** What is selected: that to which everything fits that is given. */
export interface AccessTokenSelection {
  /** Only tokens of the resource owner with this subject. */
  readonly subject?: string | undefined;
  /** Only tokens for this client. */
  readonly clientId?: string | undefined;
  /** Only tokens for clients of the resource server with this record id. */
  readonly resourceServerId?: number | undefined;
  /** Only what was issued at this time or later, in epoch milliseconds. */
  readonly since: number;
}

export interface GrantQuery extends PageQuery {
  /**
   * Only records with this text in the resource owner's name, the client's name or the clientId. Upper and
   * lower case are the same, and white space at the ends of the text is ignored.
   */
  readonly q?: string | undefined;
  /** Only grants and consents of the resource owner with this subject. */
  readonly subject?: string | undefined;
  /** Only grants and consents for this client. */
  readonly clientId?: string | undefined;
  /** Only grants and consents for clients of the resource server with this record id. */
  readonly resourceServerId?: number | undefined;
  /**
   * Only grants that were made, and consents that were given, at this time or later, in epoch milliseconds.
   */
  readonly since?: number | undefined;
  /** Only grants and consents of resource owners with this name, at any identity provider. */
  readonly resourceOwnerId?: string | undefined;
}

/** What is selected: that to which everything fits that is given. */
export interface GrantSelection {
  /** Only grants and consents of the resource owner with this subject. */
  readonly subject?: string | undefined;
  /** Only grants and consents for this client. */
  readonly clientId?: string | undefined;
  /** Only grants and consents for clients of the resource server with this record id. */
  readonly resourceServerId?: number | undefined;
  /**
   * Only grants that were made, and consents that were given, at this time or later, in epoch milliseconds.
   */
  readonly since?: number | undefined;
}

export interface AccountQuery extends PageQuery {
  /**
   * Only records with this text in the username, the display name, the e-mail address or a group. Upper and
   * lower case are the same, and white space at the ends of the text is ignored.
   */
  readonly q?: string | undefined;
  /** Only the account with exactly this username. */
  readonly username?: string | undefined;
  /** Only accounts whose username follows this text, in the order of the list. */
  readonly after?: string | undefined;
  /** Only accounts that are disabled, or that are not. */
  readonly disabled?: boolean | undefined;
  /** Only administrators, or only other users. */
  readonly adminPrincipal?: boolean | undefined;
  /** Only accounts that have a password, or that have none. */
  readonly hasPassword?: boolean | undefined;
  /** true: each account has lastLogin. */
  readonly lastLogin?: boolean | undefined;
}

/** A link of an account, by the id of the account. */
export interface AccountLinkAddress {
  readonly id: string;
  readonly authenticator: string;
}

export interface FactorQuery extends PageQuery {
  /** The person, required: a principal name, with its identityProvider. */
  readonly resourceOwnerId?: string | undefined;
  /** The identity provider of resourceOwnerId. The same name at another one is another person. */
  readonly identityProvider?: string | undefined;
}

/** What is selected: that to which everything fits that is given. */
export interface FactorSelection {
  /** The person, required: a principal name, with its identityProvider. */
  readonly resourceOwnerId?: string | undefined;
  /** The identity provider of resourceOwnerId. The same name at another one is another person. */
  readonly identityProvider?: string | undefined;
}

export interface ConfirmationQuery extends PageQuery {
  /** Only those for this purpose. */
  readonly purpose?: 'reset_password' | 'change_address' | 'sign_up' | undefined;
  /** Only those of the account with this id. */
  readonly accountId?: string | undefined;
}

export interface LoginSessionQuery extends PageQuery {
  /** Only sessions of this user: a principal name, with its identityProvider. */
  readonly resourceOwnerId?: string | undefined;
  /** The identity provider of resourceOwnerId. The same name at another one is another person. */
  readonly identityProvider?: string | undefined;
  /** Only sessions in which this client was granted access, as far as its grants are stored. */
  readonly clientId?: string | undefined;
  /** Only sessions that began at this time or later, in epoch milliseconds. */
  readonly since?: number | undefined;
}

export interface LogoutDeliveryQuery extends PageQuery {
  /** Only deliveries to this client. */
  readonly clientId?: string | undefined;
  /** true: only deliveries without another attempt. false: only those that have one. */
  readonly failed?: boolean | undefined;
}

export interface IdentityProviderQuery extends PageQuery {
  /** true: only identity providers that are configured on this node. false: only those that are not. */
  readonly configured?: boolean | undefined;
}

export interface PageTextsQuery {
  /** The language (BCP 47). Default: English. */
  readonly language?: string | undefined;
}

export interface RequestErrorQuery extends PageQuery {
  /** Only requests about this client. */
  readonly clientId?: string | undefined;
  /** Only requests that were answered with this error code. */
  readonly error?: string | undefined;
}

export interface RequestErrorSummaryQuery {
  /** Only requests about this client. */
  readonly clientId?: string | undefined;
  /** The number of past hours that are counted. From 1 to 24, by default 24. */
  readonly hours?: number | undefined;
}

export interface AuditEventQuery extends PageQuery {
  /**
   * Only records with this text in the name of the record, of the actor or of the client. Upper and lower
   * case are the same, and white space at the ends of the text is ignored.
   */
  readonly q?: string | undefined;
  /** Only events whose actor has this text in the name. Upper and lower case are the same. */
  readonly actor?: string | undefined;
  /** Only events with this action. */
  readonly action?:
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
    | 'withdraw'
    | undefined;
  /** Only changes to records of this type. */
  readonly recordType?:
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
    | 'database'
    | undefined;
  /** Only changes to the record with this id. */
  readonly recordId?: string | undefined;
  /** Only events of requests that used this client, and changes of it. */
  readonly clientId?: string | undefined;
  /** Only events of this time or later, in epoch milliseconds. */
  readonly since?: number | undefined;
  /** Only events before this time, in epoch milliseconds. */
  readonly until?: number | undefined;
  /** changes: only changes to records. logins: only logins, logouts, grants and withdrawals. */
  readonly kind?: 'changes' | 'logins' | undefined;
  /**
   * Only events by this person, and events about this person: a principal name, with its identityProvider.
   */
  readonly resourceOwnerId?: string | undefined;
  /** The identity provider of resourceOwnerId. The same name at another one is another person. */
  readonly identityProvider?: string | undefined;
}

export interface AccessTokensClient {
  /**
   * List access tokens. Administrators get all opaque access tokens, other callers those that they granted; a
   * client that acts for itself gets its own tokens. With clientId, owners also get the tokens with which
   * that client acts for itself: all if it is theirs, or else what those give at resource servers of theirs.
   * The newest tokens come first; with resourceOwnerId, the tokens of the newest grant. A JWT is not stored,
   * and is in no list: it is found by its text. A page before the last one can be shorter than the limit, and
   * is never empty. A client that acts for itself needs the right grants:read, for records of others.
   */
  list(query?: AccessTokenQuery, options?: CallOptions): Promise<Page<AccessToken>>;
  /**
   * Issue an access token. Issues a token to a client of the caller. The caller is the resource owner of the
   * token: a caller cannot issue a token for another resource owner. If the caller is a client that acts for
   * itself, the client of the token acts for itself too. Only this answer contains the token.
   */
  create(fields: AccessTokenRequest, options?: CallOptions): Promise<AccessTokenWithValue>;
  /**
   * Revoke what was issued at a time or later. since is required, and at least one of subject, clientId and
   * resourceServerId, each with a value. No other parameter is accepted. A grant under which a token was
   * issued since then is revoked with all its tokens, older ones and JWTs too; what its resource owner
   * consented to is remembered. Of access tokens with which clients act for themselves, those that are stored
   * are revoked one by one. JWTs are not stored: all tokens of a client that only acts for itself are
   * revoked. For a client that acts for users too, or is of another owner, only the revocation of all its
   * tokens ends them, and remaining names it. With resourceServerId, of tokens of clients of others only what
   * they give there ends. Tokens that are issued at the same time are not revoked. If the request fails, a
   * part can be revoked. A client that acts for itself needs the right grants:write, for records of others.
   * People must have logged in within the seconds of the setting administration.freshLogin; otherwise 401
   * insufficient_user_authentication, with max_age (RFC 9470). A client that acts for itself need not.
   */
  revokeIssued(selection: AccessTokenSelection, options?: CallOptions): Promise<RevokedIssue>;
  /**
   * Read an access token. Returns what the token represents, and never the token itself. A client that acts
   * for itself needs the right grants:read, for records of others.
   */
  get(id: string, options?: CallOptions): Promise<Versioned<AccessToken>>;
  /**
   * Narrow the scopes of an access token, or change its expiry. A merge patch (RFC 7396): a field that is
   * left out does not change. A JWT cannot be changed: the answer is a conflict. A client that acts for
   * itself needs the right grants:write, for records of others.
   */
  update(
    id: string,
    fields: Partial<AccessTokenFields>,
    options?: ChangeOptions,
  ): Promise<Versioned<AccessToken>>;
  /**
   * Revoke an access token. The token is immediately invalid. A refresh token of the same grant stays valid.
   * Of a part, only what the token gives at resource servers of the caller ends. Resource servers that verify
   * JWTs themselves refuse the token within a second, if they read the list of revocations. A client that
   * acts for itself needs the right grants:write, for records of others.
   */
  revoke(id: string, options?: ChangeOptions): Promise<void>;
  /**
   * Find an access token by its text. The text is in the body, so that it is in no address and in no log. An
   * expired token is found until it is removed. An expired JWT is found while its signing key is published. A
   * client that acts for itself needs the right grants:read, for records of others.
   */
  lookUp(token: string, options?: CallOptions): Promise<Versioned<AccessToken>>;
}

export interface AccountLinksClient {
  /**
   * List the links of a local account to other identity providers. Ordered by authenticator. Only for
   * administrators: any other caller gets 403. 404 if the authenticator password is not configured. A page
   * before the last one can be shorter than the limit, and is never empty. A client that acts for itself
   * needs the right accounts:read.
   */
  list(id: string, query?: PageQuery, options?: CallOptions): Promise<Page<AccountLink>>;
  /**
   * Remove a link of a local account to another identity provider. The person cannot log in to the account
   * with this authenticator any more. All login sessions of the account end, and its grants are revoked with
   * all their tokens. The password stays: an account without one needs a reset link, if this was the last way
   * in. The last administrator who can log in keeps it: 409. Only for administrators: any other caller gets
   * 403. 404 if the authenticator password is not configured. A client that acts for itself needs the right
   * accounts:write.
   */
  remove(address: AccountLinkAddress, options?: CallOptions): Promise<OwnerRevocation>;
}

export interface AccountsClient {
  /**
   * List local accounts. Ordered by username. Only for administrators: any other caller gets 403. 404 if the
   * authenticator password is not configured. A page before the last one can be shorter than the limit, and
   * is never empty. A client that acts for itself needs the right accounts:read.
   */
  list(query?: AccountQuery, options?: CallOptions): Promise<Page<Account>>;
  /**
   * Create a local account. The user sets the password, or adds the passkey, with the reset link, which is
   * valid for an hour and only in this answer. Only for administrators: any other caller gets 403. 404 if the
   * authenticator password is not configured. A client that acts for itself needs the right accounts:write.
   */
  create(fields: NewAccount, options?: CallOptions): Promise<AccountWithResetLink>;
  /**
   * Read a local account. Only for administrators: any other caller gets 403. 404 if the authenticator
   * password is not configured. A client that acts for itself needs the right accounts:read.
   */
  get(id: string, options?: CallOptions): Promise<Versioned<Account>>;
  /**
   * Change, disable or enable a local account. A merge patch (RFC 7396): a field that is left out does not
   * change. All login sessions of the account end, and its grants are revoked with all their tokens. Nothing
   * of it comes back when the account is enabled. The last administrator who can log in stays: 409. Only for
   * administrators: any other caller gets 403. 404 if the authenticator password is not configured. A client
   * that acts for itself needs the right accounts:write.
   */
  update(
    id: string,
    fields: Partial<AccountFields>,
    options?: ChangeOptions,
  ): Promise<Versioned<ChangedAccount>>;
  /**
   * Delete a local account. All login sessions of the account end, and its grants are revoked with all their
   * tokens. Remembered consents are removed. A later account with the same username belongs to another user.
   * An account that owns resource servers cannot be deleted: 409. The last administrator who can log in
   * stays: 409. Only for administrators: any other caller gets 403. 404 if the authenticator password is not
   * configured. A client that acts for itself needs the right accounts:write. People must have logged in
   * within the seconds of the setting administration.freshLogin; otherwise 401
   * insufficient_user_authentication, with max_age (RFC 9470). A client that acts for itself need not.
   */
  delete(id: string, options?: ChangeOptions): Promise<OwnerRevocation>;
  /**
   * Remove the password of a local account and make a reset link. The user sets a new password with the link,
   * once and within an hour. An earlier link of the account ends. Links to other identity providers stay:
   * remove them if somebody else made them. All login sessions of the account end, and its grants are revoked
   * with all their tokens. The last administrator who can log in stays: 409. Only for administrators: any
   * other caller gets 403. 404 if the authenticator password is not configured. A client that acts for itself
   * needs the right accounts:write. People must have logged in within the seconds of the setting
   * administration.freshLogin; otherwise 401 insufficient_user_authentication, with max_age (RFC 9470). A
   * client that acts for itself need not.
   */
  resetPassword(id: string, passkey?: boolean, options?: ChangeOptions): Promise<ChangedAccountWithResetLink>;
  /**
   * Create many local accounts. Up to 1000, all or none of them. An account that exists stays as it is, so an
   * import that was interrupted is repeated. They come without passwords and factors: users set a password
   * with a reset link, or with a mail if mail is set up. Only for administrators: any other caller gets 403.
   * 404 if the authenticator password is not configured. A client that acts for itself needs the right
   * accounts:write.
   */
  import(fields: SubmittedAccounts, options?: CallOptions): Promise<AccountImport>;
}

export interface AuditEventsClient {
  /**
   * Read the audit log. Administrators get all events. Other callers get the changes to their records, and
   * their own logins, logouts, grants and withdrawals. The newest events come first. A page before the last
   * one can be shorter than the limit, and is never empty. A client that acts for itself needs the right
   * audit:read, for records of others.
   */
  list(query?: AuditEventQuery, options?: CallOptions): Promise<Page<AuditEvent>>;
}

export interface AuthenticatorsClient {
  /**
   * List the ways to log in. Those of the configuration, and the identity providers that administrators set
   * up. Only for administrators who logged in: any other caller gets 403. A page before the last one can be
   * shorter than the limit, and is never empty. Never for a client that acts for itself.
   */
  list(query?: PageQuery, options?: CallOptions): Promise<Page<Authenticator>>;
  /**
   * Set up an identity provider. The server reads its metadata first. Only for administrators who logged in:
   * any other caller gets 403. 409 for a name that another one has or had. Never for a client that acts for
   * itself.
   */
  create(fields: NewAuthenticator, options?: CallOptions): Promise<Versioned<Authenticator>>;
  /**
   * Read a way to log in. Only for administrators who logged in: any other caller gets 403. Never for a
   * client that acts for itself.
   */
  get(id: string, options?: CallOptions): Promise<Versioned<Authenticator>>;
  /**
   * Change, disable or enable an identity provider. A merge patch (RFC 7396), also of its settings. One of
   * the configuration is 404. Only for administrators who logged in: any other caller gets 403. Never for a
   * client that acts for itself.
   */
  update(id: string, fields: AuthenticatorChange, options?: ChangeOptions): Promise<Versioned<Authenticator>>;
  /**
   * Delete an identity provider. Login sessions of its users end, their grants are revoked with all tokens,
   * and their consents are removed. No other one can get its name. One of the configuration is 404. Only for
   * administrators who logged in: any other caller gets 403. Never for a client that acts for itself. People
   * must have logged in within the seconds of the setting administration.freshLogin; otherwise 401
   * insufficient_user_authentication, with max_age (RFC 9470). A client that acts for itself need not.
   */
  delete(id: string, options?: ChangeOptions): Promise<IdentityProviderUse>;
  /**
   * Try a login at an identity provider. A browser opens the address, also while the identity provider is
   * disabled. No session begins. Only for administrators who logged in: any other caller gets 403. Never for
   * a client that acts for itself.
   */
  tryLogin(id: string, options?: CallOptions): Promise<StartedTest>;
  /**
   * Read once what came of a test login. Only for administrators who logged in: any other caller gets 403.
   * Never for a client that acts for itself.
   */
  testLogin(testId: string, options?: CallOptions): Promise<TestLogin>;
}

export interface BrandingClient {
  /**
   * Show how pages look and what they say. Only for administrators. Never for a client that acts for itself.
   */
  get(options?: CallOptions): Promise<Versioned<Branding>>;
  /**
   * Set how pages look and what they say. Only for administrators. Every node knows it within a second.
   * Settings and files of the configuration come first. Never for a client that acts for itself.
   */
  replace(fields: SubmittedBranding, options?: ChangeOptions): Promise<Versioned<Branding>>;
  /**
   * See all pages in all states with a draft of the branding. Only for administrators. Never for a client
   * that acts for itself.
   */
  preview(fields: SubmittedBranding, options?: CallOptions): Promise<BrandingPreview>;
  /** Show what pages say in a language. Only for administrators. Never for a client that acts for itself. */
  getPageTexts(query?: PageTextsQuery, options?: CallOptions): Promise<PageTexts>;
}

export interface ClientHostsClient {
  /**
   * List what is decided about the hosts of clients. In the order of the patterns. The setting
   * clients.metadataDocuments decides about all others. Only for administrators. A page before the last one
   * can be shorter than the limit, and is never empty. A client that acts for itself needs the right
   * records:all:read.
   */
  list(query?: PageQuery, options?: CallOptions): Promise<Page<ClientHost>>;
  /**
   * Allow or block the clients of hosts. The id is a host name such as example.com, or *.example.com for all
   * names below it. Of several patterns the most specific one decides. Clients that are not allowed any more
   * are deleted, with all that users gave them. Only for administrators. A client that acts for itself needs
   * the right records:all:write. People must have logged in within the seconds of the setting
   * administration.freshLogin; otherwise 401 insufficient_user_authentication, with max_age (RFC 9470). A
   * client that acts for itself need not.
   */
  replace(id: string, fields: SubmittedClientHost, options?: CallOptions): Promise<DecidedClientHost>;
  /**
   * Decide nothing about hosts any more. Clients that are not allowed without it are deleted, with all that
   * users gave them. Only for administrators. A client that acts for itself needs the right
   * records:all:write. People must have logged in within the seconds of the setting
   * administration.freshLogin; otherwise 401 insufficient_user_authentication, with max_age (RFC 9470). A
   * client that acts for itself need not.
   */
  delete(id: string, options?: CallOptions): Promise<void>;
}

export interface ClientSecretsClient {
  /**
   * List the secrets of a client. The newest first, also those that have expired a short time ago. Never with
   * the secret itself. The list shows whether an application still uses an older one. A client that acts for
   * itself needs the right records:all:read, for records of others.
   */
  list(address: ClientAddress, query?: PageQuery, options?: CallOptions): Promise<Page<ClientSecret>>;
  /**
   * Give a client one more secret. Those that it has stay valid: give the new one to the application, and
   * remove the old one when it is not used any more. At most 5 are valid at a time: 409. A public client has
   * no secret: 400. A client that acts for itself needs the right records:all:write, for records of others.
   * People must have logged in within the seconds of the setting administration.freshLogin; otherwise 401
   * insufficient_user_authentication, with max_age (RFC 9470). A client that acts for itself need not.
   */
  add(
    address: ClientAddress,
    fields: ClientSecretDetails,
    options?: CallOptions,
  ): Promise<ClientSecretWithValue>;
  /**
   * Change when a secret of a client ends. A merge patch (RFC 7396): a field that is left out does not
   * change. A client that acts for itself needs the right records:all:write, for records of others. People
   * must have logged in within the seconds of the setting administration.freshLogin; otherwise 401
   * insufficient_user_authentication, with max_age (RFC 9470). A client that acts for itself need not.
   */
  update(
    address: ClientSecretAddress,
    fields: Partial<ClientSecretDetails>,
    options?: CallOptions,
  ): Promise<ClientSecret>;
  /**
   * Remove a secret of a client. It is no longer valid at any node. The last valid one is removed only with
   * last=true: the client cannot authenticate without one, 409. A client that acts for itself needs the right
   * records:all:write, for records of others. People must have logged in within the seconds of the setting
   * administration.freshLogin; otherwise 401 insufficient_user_authentication, with max_age (RFC 9470). A
   * client that acts for itself need not.
   */
  remove(address: ClientSecretAddress, last?: boolean, options?: CallOptions): Promise<void>;
}

export interface ClientsClient {
  /**
   * Read the statistics of a client. The same numbers as in the list. They can be up to 2 seconds old. A
   * client that acts for itself needs the right records:all:read, for records of others.
   */
  statistics(address: ClientAddress, hours?: number, options?: CallOptions): Promise<ClientStatistics>;
  /**
   * List the clients of all resource servers. Ordered by id. A page before the last one can be shorter than
   * the limit, and is never empty. A client that acts for itself needs the right records:all:read, for
   * records of others.
   */
  listAll(query?: ClientQuery, options?: CallOptions): Promise<Page<Client>>;
  /**
   * List the clients of a resource server. Ordered by id. A page before the last one can be shorter than the
   * limit, and is never empty. A client that acts for itself needs the right records:all:read, for records of
   * others.
   */
  list(resourceServerId: number, query?: ClientQuery, options?: CallOptions): Promise<Page<Client>>;
  /**
   * Register a client. Only this answer contains the secret of the client. A public client has no secret. A
   * client that acts for itself needs the right records:all:write, for records of others.
   */
  create(resourceServerId: number, fields: NewClient, options?: CallOptions): Promise<ClientWithSecret>;
  /** Read a client. A client that acts for itself needs the right records:all:read, for records of others. */
  get(address: ClientAddress, options?: CallOptions): Promise<Versioned<Client>>;
  /**
   * Replace a client. A field that is left out gets the default of a new client. If a caller who is not an
   * administrator changes one of clientName, description, thumbNailUrl, policyUri, tosUri, scopes,
   * otherResourceServers, redirectUris, confidential, allowedClientCredentials, allowedImplicitGrant,
   * allowedHybrid, useRefreshTokens, includePrincipal, openidScopes, postLogoutRedirectUris, subjectType,
   * sectorIdentifierUri, backchannelLogoutUri, frontchannelLogoutUri, skipConsent, trusted and keepsUserData
   * are set to false. A client that acts for itself needs the right records:all:write, for records of others.
   */
  replace(
    address: ClientAddress,
    fields: ClientFields,
    options?: ChangeOptions,
  ): Promise<Versioned<ChangedClient>>;
  /**
   * Change a client. A merge patch (RFC 7396): a field that is left out does not change. If a caller who is
   * not an administrator changes one of clientName, description, thumbNailUrl, policyUri, tosUri, scopes,
   * otherResourceServers, redirectUris, confidential, allowedClientCredentials, allowedImplicitGrant,
   * allowedHybrid, useRefreshTokens, includePrincipal, openidScopes, postLogoutRedirectUris, subjectType,
   * sectorIdentifierUri, backchannelLogoutUri, frontchannelLogoutUri, skipConsent, trusted and keepsUserData
   * are set to false. A client that acts for itself needs the right records:all:write, for records of others.
   */
  update(
    address: ClientAddress,
    fields: Partial<ClientChange>,
    options?: ChangeOptions,
  ): Promise<Versioned<ChangedClient>>;
  /**
   * Delete a client. All tokens of the client are revoked. The client of the administration pages cannot be
   * deleted: 409. A client that acts for itself needs the right records:all:write, for records of others.
   * People must have logged in within the seconds of the setting administration.freshLogin; otherwise 401
   * insufficient_user_authentication, with max_age (RFC 9470). A client that acts for itself need not.
   */
  delete(address: ClientAddress, options?: ChangeOptions): Promise<void>;
  /**
   * Give a client a new secret. Every other secret of the client ends: at once, or with the overlap, for
   * which five that never expire leave no room: 409. A public client has no secret: 400. A client that acts
   * for itself needs the right records:all:write, for records of others. People must have logged in within
   * the seconds of the setting administration.freshLogin; otherwise 401 insufficient_user_authentication,
   * with max_age (RFC 9470). A client that acts for itself need not.
   */
  rotateSecret(address: ClientAddress, options?: RotationOptions): Promise<ClientWithSecret>;
  /**
   * Confirm a client. An administrator confirms the record in its current state, and it becomes trusted. If a
   * caller who is not an administrator changes one of clientName, description, thumbNailUrl, policyUri,
   * tosUri, scopes, otherResourceServers, redirectUris, confidential, allowedClientCredentials,
   * allowedImplicitGrant, allowedHybrid, useRefreshTokens, includePrincipal, openidScopes,
   * postLogoutRedirectUris, subjectType, sectorIdentifierUri, backchannelLogoutUri, frontchannelLogoutUri,
   * skipConsent, trusted and keepsUserData are set to false. A client that acts for itself needs the right
   * records:all:write, for records of others.
   */
  confirm(address: ClientAddress, options?: ChangeOptions): Promise<Versioned<Client>>;
  /**
   * Revoke all tokens of a client. Revokes every code, access token and refresh token that was issued to the
   * client until now. The cost does not depend on their number. A client that acts for itself needs the right
   * grants:write, for records of others. People must have logged in within the seconds of the setting
   * administration.freshLogin; otherwise 401 insufficient_user_authentication, with max_age (RFC 9470). A
   * client that acts for itself need not.
   */
  revokeTokens(address: ClientAddress, options?: CallOptions): Promise<void>;
}

export interface ConfigurationsClient {
  /**
   * List the configurations that manage records. In the order of their names. Only for administrators. A page
   * before the last one can be shorter than the limit, and is never empty. A client that acts for itself
   * needs the right records:all:read.
   */
  list(query?: PageQuery, options?: CallOptions): Promise<Page<AppliedConfiguration>>;
  /**
   * Apply a configuration. Makes its records what it says, all of them or none, and deletes records of it
   * that it has no more. An application at the same time waits. Only for administrators. What is refused is
   * 400, with the place of each problem; then nothing is changed. A client that acts for itself needs the
   * right records:all:write. People must have logged in within the seconds of the setting
   * administration.freshLogin; otherwise 401 insufficient_user_authentication, with max_age (RFC 9470). A
   * client that acts for itself need not.
   */
  apply(fields: ConfigurationApplication, options?: CallOptions): Promise<ConfigurationPlan>;
  /**
   * Say what the application of a configuration would change. Nothing is stored. Only for administrators.
   * What is refused is 400, with the place of each problem; then nothing is changed. A client that acts for
   * itself needs the right records:all:write.
   */
  plan(fields: ConfigurationApplication, options?: CallOptions): Promise<ConfigurationPlan>;
}

export interface ConfirmationsClient {
  /**
   * List what people were asked by mail to confirm. In the order in which it was asked for. Invitations are a
   * list of their own. Only for administrators: any other caller gets 403. 404 if the authenticator password
   * is not configured. A page before the last one can be shorter than the limit, and is never empty. A client
   * that acts for itself needs the right accounts:read.
   */
  list(query?: ConfirmationQuery, options?: CallOptions): Promise<Page<Confirmation>>;
  /**
   * End a pending confirmation. Its link and its code are of no use any more. The person can ask for another
   * one. Only for administrators: any other caller gets 403. 404 if the authenticator password is not
   * configured. A client that acts for itself needs the right accounts:write.
   */
  end(id: string, options?: CallOptions): Promise<void>;
}

export interface DescribedClientsClient {
  /**
   * List the clients that nobody registered here. Those to which a user has consented, and those that
   * registered themselves, with what users gave them. By the host of the document, those that registered
   * themselves at the end. Only for administrators. A page before the last one can be shorter than the limit,
   * and is never empty. A client that acts for itself needs the right records:all:read.
   */
  list(query?: DescribedClientQuery, options?: CallOptions): Promise<Page<DescribedClient>>;
  /**
   * End clients that nobody registered here. All that users gave them ends at once: grants, tokens and
   * consents. A client of a document comes back when a user consents again; one that registered itself must
   * register again. Exactly one of host, registered and all selects them. Only for administrators. A client
   * that acts for itself needs the right records:all:write. People must have logged in within the seconds of
   * the setting administration.freshLogin; otherwise 401 insufficient_user_authentication, with max_age (RFC
   * 9470). A client that acts for itself need not.
   */
  endAll(selection: DescribedClientSelection, options?: CallOptions): Promise<EndedClients>;
}

export interface FactorsClient {
  /**
   * List the factors of a person. In the order in which they were added. Secrets are never answered. Only for
   * administrators: any other caller gets 403. A page before the last one can be shorter than the limit, and
   * is never empty. A client that acts for itself needs the right accounts:read.
   */
  list(query?: FactorQuery, options?: CallOptions): Promise<Page<Factor>>;
  /**
   * Remove all factors of a person. For a person who has lost them. The password, and links to other identity
   * providers, stay. All login sessions of the person end, and all grants are revoked with their tokens. The
   * owner of a local account is told by mail, where mail is set up. The factors of the last local account
   * with which an administrator can log in are removed at the command line of the server only. Only for
   * administrators: any other caller gets 403. A client that acts for itself needs the right accounts:write.
   * People must have logged in within the seconds of the setting administration.freshLogin; otherwise 401
   * insufficient_user_authentication, with max_age (RFC 9470). A client that acts for itself need not.
   */
  reset(selection: FactorSelection, options?: CallOptions): Promise<OwnerRevocation>;
  /**
   * Count people by their factors. The numbers can be up to 30 seconds old. Only for administrators: any
   * other caller gets 403. A client that acts for itself needs the right accounts:read.
   */
  statistics(options?: CallOptions): Promise<FactorStatistics>;
  /**
   * Remove a factor of a person. The trust in browsers ends too, and without another second factor the
   * recovery codes. All login sessions of the person end, and all grants are revoked with their tokens. The
   * owner of a local account is told by mail, where mail is set up. The factors of the last local account
   * with which an administrator can log in are removed at the command line of the server only. Only for
   * administrators: any other caller gets 403. A client that acts for itself needs the right accounts:write.
   * People must have logged in within the seconds of the setting administration.freshLogin; otherwise 401
   * insufficient_user_authentication, with max_age (RFC 9470). A client that acts for itself need not.
   */
  remove(id: string, options?: CallOptions): Promise<OwnerRevocation>;
}

export interface GrantsClient {
  /**
   * List grants and remembered consents. Administrators get all grants and consents, other callers those for
   * clients of their resource servers, and for clients of others what these can do at their resource servers.
   * The newest come first; with a resource server, those for its newest client. A grant without a valid
   * access token is listed while one of its codes or tokens can be valid. After that, the consent that was
   * given with it is listed alone while it is remembered. A page before the last one can be shorter than the
   * limit, and is never empty. A client that acts for itself needs the right grants:read, for records of
   * others.
   */
  list(query?: GrantQuery, options?: CallOptions): Promise<Page<Grant>>;
  /**
   * Revoke all grants of a resource owner, of a client or of a resource server. At least one of subject,
   * clientId and resourceServerId is required, each with a value, and no other parameter is accepted. A grant
   * must match all given parameters. Every grant in the list with the same parameters is revoked, as by
   * DELETE of one grant. What is given by a listed consent at the same time is revoked, too. With
   * resourceServerId, of grants for clients of others only what they can do there ends. If the request fails,
   * a part of the grants can be revoked. A client that acts for itself needs the right grants:write, for
   * records of others. People must have logged in within the seconds of the setting
   * administration.freshLogin; otherwise 401 insufficient_user_authentication, with max_age (RFC 9470). A
   * client that acts for itself need not.
   */
  endAll(selection: GrantSelection, options?: CallOptions): Promise<EndedGrants>;
  /** Read a grant. A client that acts for itself needs the right grants:read, for records of others. */
  get(id: string, options?: CallOptions): Promise<Grant>;
  /**
   * Revoke a grant. The code and all tokens of the grant are immediately revoked; of a part, what they give
   * at the resource servers of the caller. The consent of the resource owner for the client is removed, so
   * the client cannot get a new grant without a question. Other grants of the resource owner for the client
   * stay. A client that acts for itself needs the right grants:write, for records of others.
   */
  end(id: string, options?: CallOptions): Promise<void>;
}

export interface IdentityProvidersClient {
  /**
   * List the identity providers whose users have sessions, grants or consents. Ordered by name, with the
   * number of sessions, grants and consents. Only administrators see them; any other caller gets an empty
   * list. Each request reads whole tables. A page before the last one can be shorter than the limit, and is
   * never empty. Never for a client that acts for itself.
   */
  list(query?: IdentityProviderQuery, options?: CallOptions): Promise<Page<IdentityProvider>>;
  /**
   * Revoke everything that the users of an identity provider have. The login sessions of these users end,
   * their codes, access tokens and refresh tokens are revoked, and their consented scopes are removed. Only
   * for administrators. The identity provider can be configured or not. Never for a client that acts for
   * itself. People must have logged in within the seconds of the setting administration.freshLogin; otherwise
   * 401 insufficient_user_authentication, with max_age (RFC 9470). A client that acts for itself need not.
   */
  end(identityProvider: string, options?: CallOptions): Promise<IdentityProviderUse>;
}

export interface InitialTokensClient {
  /**
   * List initial access tokens. In the order in which they were made, also those that have expired. Only for
   * administrators. A page before the last one can be shorter than the limit, and is never empty. A client
   * that acts for itself needs the right records:all:read.
   */
  list(query?: PageQuery, options?: CallOptions): Promise<Page<InitialToken>>;
  /**
   * Make an initial access token. Whoever has it can register clients (RFC 7591). Only for administrators. A
   * client that acts for itself needs the right records:all:write.
   */
  create(fields: NewInitialToken, options?: CallOptions): Promise<InitialTokenWithValue>;
  /**
   * End an initial access token. Nobody registers with it any more. Clients that did stay. Only for
   * administrators. A client that acts for itself needs the right records:all:write.
   */
  end(id: string, options?: CallOptions): Promise<void>;
}

export interface InvitationsClient {
  /**
   * List invitations that wait. In the order in which they were made. One that was accepted is left out, and
   * so is one that has expired. Only for administrators: any other caller gets 403. 404 if the authenticator
   * password is not configured. A page before the last one can be shorter than the limit, and is never empty.
   * A client that acts for itself needs the right accounts:read.
   */
  list(query?: PageQuery, options?: CallOptions): Promise<Page<Invitation>>;
  /**
   * Invite a person. With an address, and a server that sends mail, the link is mailed; else the answer has
   * it. It works once. Only for administrators: any other caller gets 403. 404 if the authenticator password
   * is not configured. A client that acts for itself needs the right accounts:write.
   */
  create(fields: NewInvitation, options?: CallOptions): Promise<InvitationWithLink>;
  /**
   * Withdraw an invitation. Its link is of no use any more. Only for administrators: any other caller gets
   * 403. 404 if the authenticator password is not configured. A client that acts for itself needs the right
   * accounts:write.
   */
  revoke(id: string, options?: CallOptions): Promise<void>;
}

export interface LoginSessionsClient {
  /**
   * List login sessions. Only for administrators. The newest come first. A page before the last one can be
   * shorter than the limit, and is never empty. A client that acts for itself needs the right grants:read.
   */
  list(query?: LoginSessionQuery, options?: CallOptions): Promise<Page<LoginSession>>;
  /**
   * End a login session. Only for administrators. The user must log in again. Grants and tokens stay, as
   * after a logout. A client that acts for itself needs the right grants:write.
   */
  end(id: string, options?: CallOptions): Promise<void>;
}

export interface LogoutDeliveriesClient {
  /**
   * List the logout tokens that clients have not accepted. A delivery that succeeds leaves the list.
   * Administrators get those of all clients, other callers those of the clients of their resource servers.
   * Those of the newest sessions come first. A page before the last one can be shorter than the limit, and is
   * never empty. A client that acts for itself needs the right grants:read, for records of others.
   */
  list(query?: LogoutDeliveryQuery, options?: CallOptions): Promise<Page<LogoutDelivery>>;
  /**
   * Deliver a logout token again. The server makes an attempt now, and further attempts as for a new
   * delivery. Administrators get those of all clients, other callers those of the clients of their resource
   * servers. A client that acts for itself needs the right grants:write, for records of others.
   */
  retry(id: string, options?: CallOptions): Promise<void>;
}

export interface OtherClientsClient {
  /**
   * List the clients of other resource servers that can use a resource server. Ordered by id. A page before
   * the last one can be shorter than the limit, and is never empty. A client that acts for itself needs the
   * right records:all:read, for records of others.
   */
  list(resourceServerId: number, query?: PageQuery, options?: CallOptions): Promise<Page<OtherClient>>;
  /**
   * Take a resource server away from a client of another one. The client gets no token for the resource
   * server any more. JWTs are valid until they expire. A client that acts for itself needs the right
   * records:all:write, for records of others. People must have logged in within the seconds of the setting
   * administration.freshLogin; otherwise 401 insufficient_user_authentication, with max_age (RFC 9470). A
   * client that acts for itself need not.
   */
  remove(address: OtherClientAddress, options?: CallOptions): Promise<void>;
}

export interface ProfilesClient {
  /**
   * List what a profile forbids in records and settings. Administrators get the settings of this node and all
   * records, other callers their own records. Only records with a finding are listed: first the settings,
   * then resource servers, then clients. A page before the last one can be shorter than the limit, and is
   * never empty. A client that acts for itself needs the right records:all:read, for records of others.
   */
  lint(query?: ProfileQuery, options?: CallOptions): Promise<Page<LintedRecord>>;
}

export interface RequestErrorsClient {
  /**
   * List the requests of the last day that ended in an error. Each has the reason, for the developer of the
   * client. Administrators get those of all clients, other callers those of the clients of their resource
   * servers. This node has at most 1,000 of each client and 10,000 in all in memory. Those of authenticated
   * clients are also stored: they outlast a restart, and other nodes have them too. The newest come first. A
   * page before the last one can be shorter than the limit, and is never empty. A client that acts for itself
   * needs the right errors:read, for records of others.
   */
  list(query?: RequestErrorQuery, options?: CallOptions): Promise<Page<RequestError>>;
  /**
   * Count requests that ended in an error, by client and reason. The newest 10000 errors are counted.
   * Administrators get those of all clients, other callers those of the clients of their resource servers.
   * This node has at most 1,000 of each client and 10,000 in all in memory. Those of authenticated clients
   * are also stored: they outlast a restart, and other nodes have them too. A client that acts for itself
   * needs the right errors:read, for records of others.
   */
  summary(query?: RequestErrorSummaryQuery, options?: CallOptions): Promise<RequestErrorSummary>;
  /**
   * Explain why one request was refused, and what mends it. Every answer has the id in the header
   * x-request-id, and an error page shows it. Administrators can ask about every error of the last day, other
   * callers about those of the clients of their resource servers. Errors of requests that name no client are
   * only in the memory of the node that answered, the last 100 of each address. A node that does not have an
   * error asks all others, within a second. A client that acts for itself needs the right errors:read, for
   * records of others.
   */
  explain(requestId: string, options?: CallOptions): Promise<RequestErrorExplanation>;
}

export interface ResourceOwnersClient {
  /**
   * Revoke everything that a resource owner granted. The codes, access tokens and refresh tokens of the
   * resource owner are revoked, the login sessions end, and so do the rights that it gave to clients. A
   * caller can revoke its own grants, an administrator those of every resource owner. A client that acts for
   * itself needs the right grants:write, for records of others. People must have logged in within the seconds
   * of the setting administration.freshLogin; otherwise 401 insufficient_user_authentication, with max_age
   * (RFC 9470). A client that acts for itself need not.
   */
  revoke(fields: ResourceOwner, options?: CallOptions): Promise<OwnerRevocation>;
}

export interface ResourceServersClient {
  /**
   * List resource servers. Administrators get all resource servers, other callers their own, ordered by id. A
   * page before the last one can be shorter than the limit, and is never empty. A client that acts for itself
   * needs the right records:all:read, for records of others.
   */
  list(query?: ResourceServerQuery, options?: CallOptions): Promise<Page<ResourceServer>>;
  /**
   * List resource servers. Administrators get all resource servers, other callers their own, ordered by id. A
   * page before the last one can be shorter than the limit, and is never empty. A client that acts for itself
   * needs the right records:all:read, for records of others. Each scope of the answer is an object with its
   * description, and not its name alone.
   */
  listDescribed(query?: ResourceServerQuery, options?: CallOptions): Promise<Page<DescribedResourceServer>>;
  /**
   * Register a resource server. The caller becomes the record owner. Only this answer contains the secret of
   * the resource server. A client that acts for itself needs the right records:all:write, for records of
   * others.
   */
  create(fields: NewResourceServer, options?: CallOptions): Promise<ResourceServerWithSecret>;
  /**
   * Read a resource server. A client that acts for itself needs the right records:all:read, for records of
   * others.
   */
  get(id: number, options?: CallOptions): Promise<Versioned<ResourceServer>>;
  /**
   * Read a resource server. A client that acts for itself needs the right records:all:read, for records of
   * others. Each scope of the answer is an object with its description, and not its name alone.
   */
  getDescribed(id: number, options?: CallOptions): Promise<Versioned<DescribedResourceServer>>;
  /**
   * Replace a resource server. A field that is left out gets the default of a new resource server, but a
   * scope that is named alone keeps its description. A scope that the resource server loses is also removed
   * from its clients. Unless the caller is an administrator, skipConsent, trusted and keepsUserData of the
   * clients with a scope that was removed or described in another way are set to false. A client that acts
   * for itself needs the right records:all:write, for records of others.
   */
  replace(
    id: number,
    fields: SubmittedResourceServer,
    options?: ChangeOptions,
  ): Promise<Versioned<ChangedResourceServer>>;
  /**
   * Replace a resource server. A field that is left out gets the default of a new resource server, but a
   * scope that is named alone keeps its description. A scope that the resource server loses is also removed
   * from its clients. Unless the caller is an administrator, skipConsent, trusted and keepsUserData of the
   * clients with a scope that was removed or described in another way are set to false. A client that acts
   * for itself needs the right records:all:write, for records of others. Each scope of the answer is an
   * object with its description, and not its name alone.
   */
  replaceDescribed(
    id: number,
    fields: SubmittedResourceServer,
    options?: ChangeOptions,
  ): Promise<Versioned<DescribedResourceServer>>;
  /**
   * Change a resource server. A merge patch (RFC 7396): a field that is left out does not change. A client
   * that acts for itself needs the right records:all:write, for records of others.
   */
  update(
    id: number,
    fields: Partial<SubmittedResourceServer>,
    options?: ChangeOptions,
  ): Promise<Versioned<ChangedResourceServer>>;
  /**
   * Delete a resource server. The clients of the resource server are also deleted, and all their tokens are
   * revoked. The resource server of the administration interface cannot be deleted: 409. A client that acts
   * for itself needs the right records:all:write, for records of others. People must have logged in within
   * the seconds of the setting administration.freshLogin; otherwise 401 insufficient_user_authentication,
   * with max_age (RFC 9470). A client that acts for itself need not.
   */
  delete(id: number, options?: ChangeOptions): Promise<void>;
  /**
   * Give a resource server a new secret. A client that acts for itself needs the right records:all:write, for
   * records of others. People must have logged in within the seconds of the setting
   * administration.freshLogin; otherwise 401 insufficient_user_authentication, with max_age (RFC 9470). A
   * client that acts for itself need not.
   */
  rotateSecret(id: number, options?: RotationOptions): Promise<ResourceServerWithSecret>;
  /**
   * Revoke all tokens of all clients of a resource server. Revokes every code, access token and refresh token
   * that was issued to its clients until now. If the request fails, those of a part of the clients can be
   * revoked. A client that acts for itself needs the right grants:write, for records of others. People must
   * have logged in within the seconds of the setting administration.freshLogin; otherwise 401
   * insufficient_user_authentication, with max_age (RFC 9470). A client that acts for itself need not.
   */
  revokeTokens(id: number, options?: CallOptions): Promise<void>;
  /**
   * List the resource servers of others that are open to clients of the caller. Administrators get all that
   * are open to clients of others. Ordered by id. A page before the last one can be shorter than the limit,
   * and is never empty. A client that acts for itself needs the right records:all:read, for records of
   * others.
   */
  listOpen(query?: ResourceServerQuery, options?: CallOptions): Promise<Page<OpenResourceServer>>;
}

export interface RightsClient {
  /**
   * List what clients can administer. In the order of the clients. Only for administrators who logged in. A
   * page before the last one can be shorter than the limit, and is never empty. Never for a client that acts
   * for itself.
   */
  list(query?: RightQuery, options?: CallOptions): Promise<Page<Right>>;
  /**
   * Let a client administer. Gives all rights or none, for access tokens that the client gets for itself,
   * also those that it has. It needs to be a client of authorization-server-admin with the scopes read and
   * write. A right ends when its giver is no administrator any more. Only for administrators who logged in.
   * Never for a client that acts for itself. People must have logged in within the seconds of the setting
   * administration.freshLogin; otherwise 401 insufficient_user_authentication, with max_age (RFC 9470). A
   * client that acts for itself need not.
   */
  give(clientId: string, rights: readonly string[], options?: CallOptions): Promise<GivenRights>;
  /**
   * End what a client can administer. One right, or all of the client. They hold nowhere from then on, also
   * for access tokens that were issued before. Only for administrators who logged in. Never for a client that
   * acts for itself.
   */
  end(clientId: string, right?: string, options?: CallOptions): Promise<void>;
}

export interface SealingKeysClient {
  /**
   * List the keys that seal forms and the cursors of lists. Only for administrators. The server replaces them
   * every day. The newest comes first. A page before the last one can be shorter than the limit, and is never
   * empty. A client that acts for itself needs the right keys:read.
   */
  list(query?: PageQuery, options?: CallOptions): Promise<Page<SealingKey>>;
  /**
   * Replace the keys that seal forms, and the key of digests. Only for administrators. For keys that another
   * party has: whatever was made with the old ones is refused. Users who are about to log in or to consent
   * start again, counts of failed logins begin at 0, and no device is known until its user logs in again.
   * Sessions, tokens and signing keys stay. Every node knows it within a second. A client that acts for
   * itself needs the right keys:write. People must have logged in within the seconds of the setting
   * administration.freshLogin; otherwise 401 insufficient_user_authentication, with max_age (RFC 9470). A
   * client that acts for itself need not.
   */
  renew(options?: CallOptions): Promise<void>;
}

export interface SettingsClient {
  /**
   * List the settings with their effective values. Only for administrators. The settings of this node, and
   * where each value came from. Secrets are left out. A page before the last one can be shorter than the
   * limit, and is never empty. Never for a client that acts for itself.
   */
  list(query?: PageQuery, options?: CallOptions): Promise<Page<Setting>>;
}

export interface SigningKeysClient {
  /**
   * List the keys that sign, will sign or have signed. Only for administrators. The key that signs last comes
   * first. A page before the last one can be shorter than the limit, and is never empty. A client that acts
   * for itself needs the right keys:read.
   */
  list(query?: PageQuery, options?: CallOptions): Promise<Page<SigningKey>>;
  /**
   * Sign with a key that another program has made. Only for administrators. The key follows the one that
   * signs now, as in a rotation. Every node knows it within a second. Never for a client that acts for
   * itself. People must have logged in within the seconds of the setting administration.freshLogin; otherwise
   * 401 insufficient_user_authentication, with max_age (RFC 9470). A client that acts for itself need not.
   */
  import(fields: ForeignSigningKey, options?: CallOptions): Promise<SigningKey>;
  /**
   * Publish the next key of each algorithm. Only for administrators. The next key is published for ten
   * minutes before it signs, so that every cache of the JWKS knows it. The key before it signs until then,
   * and stays published until its last token has expired. Every node knows it within a second. A client that
   * acts for itself needs the right keys:write. People must have logged in within the seconds of the setting
   * administration.freshLogin; otherwise 401 insufficient_user_authentication, with max_age (RFC 9470). A
   * client that acts for itself need not.
   */
  rotate(fields: SigningKeyRotation, options?: CallOptions): Promise<RotatedSigningKeys>;
  /**
   * Retire a key, in time or at once. Only for administrators. A key that signs is followed by another and
   * then retires: its tokens stay valid. A key that does not sign yet never signs. With compromised, the
   * server refuses every token that the key signed at once, as do resource servers that read the list of
   * revocations: the key leaves the JWKS, and its private half is erased. Every node knows it within a
   * second. A client that acts for itself needs the right keys:write. People must have logged in within the
   * seconds of the setting administration.freshLogin; otherwise 401 insufficient_user_authentication, with
   * max_age (RFC 9470). A client that acts for itself need not.
   */
  retire(fields: SigningKeyRetirement, options?: CallOptions): Promise<RetiredSigningKey>;
}

/** All endpoints of the administration interface. Each call rejects with `AdminError` for an answer that is not a success. */
export interface AdminClient {
  readonly accessTokens: AccessTokensClient;
  readonly accountLinks: AccountLinksClient;
  readonly accounts: AccountsClient;
  readonly auditEvents: AuditEventsClient;
  readonly authenticators: AuthenticatorsClient;
  readonly branding: BrandingClient;
  readonly clientHosts: ClientHostsClient;
  readonly clientSecrets: ClientSecretsClient;
  readonly clients: ClientsClient;
  readonly configurations: ConfigurationsClient;
  readonly confirmations: ConfirmationsClient;
  readonly describedClients: DescribedClientsClient;
  readonly factors: FactorsClient;
  readonly grants: GrantsClient;
  readonly identityProviders: IdentityProvidersClient;
  readonly initialTokens: InitialTokensClient;
  readonly invitations: InvitationsClient;
  readonly loginSessions: LoginSessionsClient;
  readonly logoutDeliveries: LogoutDeliveriesClient;
  readonly otherClients: OtherClientsClient;
  readonly profiles: ProfilesClient;
  readonly requestErrors: RequestErrorsClient;
  readonly resourceOwners: ResourceOwnersClient;
  readonly resourceServers: ResourceServersClient;
  readonly rights: RightsClient;
  readonly sealingKeys: SealingKeysClient;
  readonly settings: SettingsClient;
  readonly signingKeys: SigningKeysClient;
  /** Tokens and resource owners of each client, issued tokens by hour, requests with errors. */
  readonly statistics: StatisticsClient;
  /** Read the principal of the caller. */
  principal(options?: CallOptions): Promise<Principal>;
  /** Read who may register records, and make accounts. */
  registration(options?: CallOptions): Promise<Registration>;
}

export function createAdminClient(options: AdminClientOptions): AdminClient {
  const deps = requests(createTransport(options));
  const { endpoint, json } = deps;
  return {
    accessTokens: accessTokensClient(deps),
    accountLinks: accountLinksClient(deps),
    accounts: accountsClient(deps),
    auditEvents: auditEventsClient(deps),
    authenticators: authenticatorsClient(deps),
    branding: brandingClient(deps),
    clientHosts: clientHostsClient(deps),
    clientSecrets: clientSecretsClient(deps),
    clients: clientsClient(deps),
    configurations: configurationsClient(deps),
    confirmations: confirmationsClient(deps),
    describedClients: describedClientsClient(deps),
    factors: factorsClient(deps),
    grants: grantsClient(deps),
    identityProviders: identityProvidersClient(deps),
    initialTokens: initialTokensClient(deps),
    invitations: invitationsClient(deps),
    loginSessions: loginSessionsClient(deps),
    logoutDeliveries: logoutDeliveriesClient(deps),
    otherClients: otherClientsClient(deps),
    profiles: profilesClient(deps),
    requestErrors: requestErrorsClient(deps),
    resourceOwners: resourceOwnersClient(deps),
    resourceServers: resourceServersClient(deps),
    rights: rightsClient(deps),
    sealingKeys: sealingKeysClient(deps),
    settings: settingsClient(deps),
    signingKeys: signingKeysClient(deps),
    statistics: statisticsClient(deps),
    principal: async (options) => json(endpoint('GET /admin/resourceServer/principal'), options),
    registration: async (options) => json(endpoint('GET /admin/registration'), options),
  };
}

function accessTokensClient({ endpoint, page, json, versioned, nothing }: Requests): AccessTokensClient {
  return {
    list: async ({ q, clientId, resourceOwnerId, expired, limit, cursor } = {}, options) =>
      page(
        endpoint('GET /admin/accessToken', { q, clientId, resourceOwnerId, expired, limit, cursor }),
        options,
      ),
    create: async (fields, options) => json(endpoint('POST /admin/accessToken', { data: fields }), options),
    revokeIssued: async ({ subject, clientId, resourceServerId, since }, options) =>
      json(
        endpoint('DELETE /admin/accessToken{?subject,clientId,resourceServerId,since}', {
          subject,
          clientId,
          resourceServerId,
          since,
        }),
        options,
      ),
    get: async (id, options) => versioned(endpoint('GET /admin/accessToken/{id}', { id }), options),
    update: async (id, fields, options = {}) =>
      versioned(
        endpoint('PATCH /admin/accessToken/{id}', { id, data: fields, headers: conditional(options) }),
        options,
      ),
    revoke: async (id, options = {}) =>
      nothing(endpoint('DELETE /admin/accessToken/{id}', { id, headers: conditional(options) }), options),
    lookUp: async (token, options) =>
      versioned(endpoint('POST /admin/accessToken/lookup', { token }), options),
  };
}

function accountLinksClient({ endpoint, page, json }: Requests): AccountLinksClient {
  return {
    list: async (id, { limit, cursor } = {}, options) =>
      page(endpoint('GET /admin/account/{id}/link', { id, limit, cursor }), options),
    remove: async (address, options) =>
      json(endpoint('DELETE /admin/account/{id}/link/{authenticator}', { ...address }), options),
  };
}

function accountsClient({ endpoint, page, json, versioned }: Requests): AccountsClient {
  return {
    list: async (
      { q, username, after, disabled, adminPrincipal, hasPassword, lastLogin, limit, cursor } = {},
      options,
    ) =>
      page(
        endpoint('GET /admin/account', {
          q,
          username,
          after,
          disabled,
          adminPrincipal,
          hasPassword,
          lastLogin,
          limit,
          cursor,
        }),
        options,
      ),
    create: async (fields, options) => json(endpoint('POST /admin/account', { data: fields }), options),
    get: async (id, options) => versioned(endpoint('GET /admin/account/{id}', { id }), options),
    update: async (id, fields, options = {}) =>
      versioned(
        endpoint('PATCH /admin/account/{id}', { id, data: fields, headers: conditional(options) }),
        options,
      ),
    delete: async (id, options = {}) =>
      json(endpoint('DELETE /admin/account/{id}', { id, headers: conditional(options) }), options),
    resetPassword: async (id, passkey, options = {}) =>
      json(
        endpoint('POST /admin/account/{id}/resetLink{?passkey}', {
          id,
          passkey,
          headers: conditional(options),
        }),
        options,
      ),
    import: async (fields, options) => json(endpoint('POST /admin/accountImport', { data: fields }), options),
  };
}

function auditEventsClient({ endpoint, page }: Requests): AuditEventsClient {
  return {
    list: async (
      {
        q,
        actor,
        action,
        recordType,
        recordId,
        clientId,
        since,
        until,
        kind,
        resourceOwnerId,
        identityProvider,
        limit,
        cursor,
      } = {},
      options,
    ) =>
      page(
        endpoint('GET /admin/auditEvent', {
          q,
          actor,
          action,
          recordType,
          recordId,
          clientId,
          since,
          until,
          kind,
          resourceOwnerId,
          identityProvider,
          limit,
          cursor,
        }),
        options,
      ),
  };
}

function authenticatorsClient({ endpoint, page, versioned, json }: Requests): AuthenticatorsClient {
  return {
    list: async ({ limit, cursor } = {}, options) =>
      page(endpoint('GET /admin/authenticator', { limit, cursor }), options),
    create: async (fields, options) =>
      versioned(endpoint('POST /admin/authenticator', { data: fields }), options),
    get: async (id, options) => versioned(endpoint('GET /admin/authenticator/{id}', { id }), options),
    update: async (id, fields, options = {}) =>
      versioned(
        endpoint('PATCH /admin/authenticator/{id}', { id, data: fields, headers: conditional(options) }),
        options,
      ),
    delete: async (id, options = {}) =>
      json(endpoint('DELETE /admin/authenticator/{id}', { id, headers: conditional(options) }), options),
    tryLogin: async (id, options) =>
      json(endpoint('POST /admin/authenticator/{id}/testLogin', { id }), options),
    testLogin: async (testId, options) =>
      json(endpoint('POST /admin/authenticator/testLogin', { testId }), options),
  };
}

function brandingClient({ endpoint, versioned, json }: Requests): BrandingClient {
  return {
    get: async (options) => versioned(endpoint('GET /admin/branding'), options),
    replace: async (fields, options = {}) =>
      versioned(endpoint('PUT /admin/branding', { data: fields, headers: conditional(options) }), options),
    preview: async (fields, options) =>
      json(endpoint('POST /admin/branding/preview', { data: fields }), options),
    getPageTexts: async ({ language } = {}, options) =>
      json(endpoint('GET /admin/branding/texts', { language }), options),
  };
}

function clientHostsClient({ endpoint, page, json, nothing }: Requests): ClientHostsClient {
  return {
    list: async ({ limit, cursor } = {}, options) =>
      page(endpoint('GET /admin/clientHost', { limit, cursor }), options),
    replace: async (id, fields, options) =>
      json(endpoint('PUT /admin/clientHost/{id}', { id, data: fields }), options),
    delete: async (id, options) => nothing(endpoint('DELETE /admin/clientHost/{id}', { id }), options),
  };
}

function clientSecretsClient({ endpoint, page, json, nothing }: Requests): ClientSecretsClient {
  return {
    list: async (address, { limit, cursor } = {}, options) =>
      page(
        endpoint('GET /admin/resourceServer/{resourceServerId}/client/{id}/secrets', {
          ...address,
          limit,
          cursor,
        }),
        options,
      ),
    add: async (address, fields, options) =>
      json(
        endpoint('POST /admin/resourceServer/{resourceServerId}/client/{id}/secrets', {
          ...address,
          data: fields,
        }),
        options,
      ),
    update: async (address, fields, options) =>
      json(
        endpoint('PATCH /admin/resourceServer/{resourceServerId}/client/{id}/secrets/{secretId}', {
          ...address,
          data: fields,
        }),
        options,
      ),
    remove: async (address, last, options) =>
      nothing(
        endpoint('DELETE /admin/resourceServer/{resourceServerId}/client/{id}/secrets/{secretId}{?last}', {
          ...address,
          last,
        }),
        options,
      ),
  };
}

function clientsClient({ endpoint, json, page, versioned, nothing }: Requests): ClientsClient {
  return {
    statistics: async (address, hours, options) =>
      json(
        endpoint('GET /admin/resourceServer/{resourceServerId}/client/{id}/stats', { ...address, hours }),
        options,
      ),
    listAll: async ({ q, limit, cursor, lastIssued } = {}, options) =>
      page(endpoint('GET /admin/client', { q, limit, cursor, lastIssued }), options),
    list: async (resourceServerId, { q, limit, cursor, lastIssued } = {}, options) =>
      page(
        endpoint('GET /admin/resourceServer/{resourceServerId}/client', {
          resourceServerId,
          q,
          limit,
          cursor,
          lastIssued,
        }),
        options,
      ),
    create: async (resourceServerId, fields, options) =>
      json(
        endpoint('POST /admin/resourceServer/{resourceServerId}/client', { resourceServerId, data: fields }),
        options,
      ),
    get: async (address, options) =>
      versioned(
        endpoint('GET /admin/resourceServer/{resourceServerId}/client/{id}', { ...address }),
        options,
      ),
    replace: async (address, fields, options = {}) =>
      versioned(
        endpoint('PUT /admin/resourceServer/{resourceServerId}/client/{id}', {
          ...address,
          data: fields,
          headers: conditional(options),
        }),
        options,
      ),
    update: async (address, fields, options = {}) =>
      versioned(
        endpoint('PATCH /admin/resourceServer/{resourceServerId}/client/{id}', {
          ...address,
          data: fields,
          headers: conditional(options),
        }),
        options,
      ),
    delete: async (address, options = {}) =>
      nothing(
        endpoint('DELETE /admin/resourceServer/{resourceServerId}/client/{id}', {
          ...address,
          headers: conditional(options),
        }),
        options,
      ),
    rotateSecret: async (address, { overlap, ...options } = {}) =>
      json(
        endpoint('POST /admin/resourceServer/{resourceServerId}/client/{id}/secret', { ...address, overlap }),
        options,
      ),
    confirm: async (address, options = {}) =>
      versioned(
        endpoint('POST /admin/resourceServer/{resourceServerId}/client/{id}/confirmation', {
          ...address,
          headers: conditional(options),
        }),
        options,
      ),
    revokeTokens: async (address, options) =>
      nothing(
        endpoint('POST /admin/resourceServer/{resourceServerId}/client/{id}/revocation', { ...address }),
        options,
      ),
  };
}

function configurationsClient({ endpoint, page, json }: Requests): ConfigurationsClient {
  return {
    list: async ({ limit, cursor } = {}, options) =>
      page(endpoint('GET /admin/configuration', { limit, cursor }), options),
    apply: async (fields, options) => json(endpoint('POST /admin/configuration', { data: fields }), options),
    plan: async (fields, options) =>
      json(endpoint('POST /admin/configurationPlan', { data: fields }), options),
  };
}

function confirmationsClient({ endpoint, page, nothing }: Requests): ConfirmationsClient {
  return {
    list: async ({ purpose, accountId, limit, cursor } = {}, options) =>
      page(endpoint('GET /admin/confirmation', { purpose, accountId, limit, cursor }), options),
    end: async (id, options) => nothing(endpoint('DELETE /admin/confirmation/{id}', { id }), options),
  };
}

function describedClientsClient({ endpoint, page, json }: Requests): DescribedClientsClient {
  return {
    list: async ({ q, host, registered, limit, cursor } = {}, options) =>
      page(endpoint('GET /admin/describedClient', { q, host, registered, limit, cursor }), options),
    endAll: async ({ host, registered, all }, options) =>
      json(
        endpoint('DELETE /admin/describedClient{?host,registered,all}', { host, registered, all }),
        options,
      ),
  };
}

function factorsClient({ endpoint, page, json }: Requests): FactorsClient {
  return {
    list: async ({ resourceOwnerId, identityProvider, limit, cursor } = {}, options) =>
      page(endpoint('GET /admin/factor', { resourceOwnerId, identityProvider, limit, cursor }), options),
    reset: async ({ resourceOwnerId, identityProvider }, options) =>
      json(
        endpoint('DELETE /admin/factor{?resourceOwnerId,identityProvider}', {
          resourceOwnerId,
          identityProvider,
        }),
        options,
      ),
    statistics: async (options) => json(endpoint('GET /admin/factor/stats'), options),
    remove: async (id, options) => json(endpoint('DELETE /admin/factor/{id}', { id }), options),
  };
}

function grantsClient({ endpoint, page, json, nothing }: Requests): GrantsClient {
  return {
    list: async (
      { q, subject, clientId, resourceServerId, since, resourceOwnerId, limit, cursor } = {},
      options,
    ) =>
      page(
        endpoint('GET /admin/grant', {
          q,
          subject,
          clientId,
          resourceServerId,
          since,
          resourceOwnerId,
          limit,
          cursor,
        }),
        options,
      ),
    endAll: async ({ subject, clientId, resourceServerId, since }, options) =>
      json(
        endpoint('DELETE /admin/grant{?subject,clientId,resourceServerId,since}', {
          subject,
          clientId,
          resourceServerId,
          since,
        }),
        options,
      ),
    get: async (id, options) => json(endpoint('GET /admin/grant/{id}', { id }), options),
    end: async (id, options) => nothing(endpoint('DELETE /admin/grant/{id}', { id }), options),
  };
}

function identityProvidersClient({ endpoint, page, json }: Requests): IdentityProvidersClient {
  return {
    list: async ({ configured, limit, cursor } = {}, options) =>
      page(endpoint('GET /admin/identityProvider', { configured, limit, cursor }), options),
    end: async (identityProvider, options) =>
      json(endpoint('POST /admin/identityProvider/revocation', { identityProvider }), options),
  };
}

function initialTokensClient({ endpoint, page, json, nothing }: Requests): InitialTokensClient {
  return {
    list: async ({ limit, cursor } = {}, options) =>
      page(endpoint('GET /admin/initialToken', { limit, cursor }), options),
    create: async (fields, options) => json(endpoint('POST /admin/initialToken', { data: fields }), options),
    end: async (id, options) => nothing(endpoint('DELETE /admin/initialToken/{id}', { id }), options),
  };
}

function invitationsClient({ endpoint, page, json, nothing }: Requests): InvitationsClient {
  return {
    list: async ({ limit, cursor } = {}, options) =>
      page(endpoint('GET /admin/invitation', { limit, cursor }), options),
    create: async (fields, options) => json(endpoint('POST /admin/invitation', { data: fields }), options),
    revoke: async (id, options) => nothing(endpoint('DELETE /admin/invitation/{id}', { id }), options),
  };
}

function loginSessionsClient({ endpoint, page, nothing }: Requests): LoginSessionsClient {
  return {
    list: async ({ resourceOwnerId, identityProvider, clientId, since, limit, cursor } = {}, options) =>
      page(
        endpoint('GET /admin/loginSession', {
          resourceOwnerId,
          identityProvider,
          clientId,
          since,
          limit,
          cursor,
        }),
        options,
      ),
    end: async (id, options) => nothing(endpoint('DELETE /admin/loginSession/{id}', { id }), options),
  };
}

function logoutDeliveriesClient({ endpoint, page, nothing }: Requests): LogoutDeliveriesClient {
  return {
    list: async ({ clientId, failed, limit, cursor } = {}, options) =>
      page(endpoint('GET /admin/logoutDelivery', { clientId, failed, limit, cursor }), options),
    retry: async (id, options) => nothing(endpoint('POST /admin/logoutDelivery/{id}/retry', { id }), options),
  };
}

function otherClientsClient({ endpoint, page, nothing }: Requests): OtherClientsClient {
  return {
    list: async (resourceServerId, { limit, cursor } = {}, options) =>
      page(
        endpoint('GET /admin/resourceServer/{resourceServerId}/otherClient', {
          resourceServerId,
          limit,
          cursor,
        }),
        options,
      ),
    remove: async (address, options) =>
      nothing(
        endpoint('DELETE /admin/resourceServer/{resourceServerId}/otherClient/{id}', { ...address }),
        options,
      ),
  };
}

function profilesClient({ endpoint, page }: Requests): ProfilesClient {
  return {
    lint: async ({ profile, clientId, limit, cursor } = {}, options) =>
      page(endpoint('GET /admin/lint', { profile, clientId, limit, cursor }), options),
  };
}

function requestErrorsClient({ endpoint, page, json }: Requests): RequestErrorsClient {
  return {
    list: async ({ clientId, error, limit, cursor } = {}, options) =>
      page(endpoint('GET /admin/requestError', { clientId, error, limit, cursor }), options),
    summary: async ({ clientId, hours } = {}, options) =>
      json(endpoint('GET /admin/requestError/summary', { clientId, hours }), options),
    explain: async (requestId, options) =>
      json(endpoint('GET /admin/requestError/{requestId}', { requestId }), options),
  };
}

function resourceOwnersClient({ endpoint, json }: Requests): ResourceOwnersClient {
  return {
    revoke: async ({ resourceOwnerId, resourceOwnerAuthority }, options) =>
      json(
        endpoint('POST /admin/resourceOwner/revocation', { resourceOwnerId, resourceOwnerAuthority }),
        options,
      ),
  };
}

function resourceServersClient({
  endpoint,
  page,
  json,
  versioned,
  nothing,
}: Requests): ResourceServersClient {
  return {
    list: async ({ q, limit, cursor } = {}, options) =>
      page(endpoint('GET /admin/resourceServer', { q, limit, cursor }), options),
    listDescribed: async ({ q, limit, cursor } = {}, options) =>
      page(endpoint('GET /admin/resourceServer', { scopes: 'described', q, limit, cursor }), options),
    create: async (fields, options) =>
      json(endpoint('POST /admin/resourceServer', { data: fields }), options),
    get: async (id, options) => versioned(endpoint('GET /admin/resourceServer/{id}', { id }), options),
    getDescribed: async (id, options) =>
      versioned(endpoint('GET /admin/resourceServer/{id}', { id, scopes: 'described' }), options),
    replace: async (id, fields, options = {}) =>
      versioned(
        endpoint('PUT /admin/resourceServer/{id}', { id, data: fields, headers: conditional(options) }),
        options,
      ),
    replaceDescribed: async (id, fields, options = {}) =>
      versioned(
        endpoint('PUT /admin/resourceServer/{id}{?scopes}', {
          id,
          scopes: 'described',
          data: fields,
          headers: conditional(options),
        }),
        options,
      ),
    update: async (id, fields, options = {}) =>
      versioned(
        endpoint('PATCH /admin/resourceServer/{id}', { id, data: fields, headers: conditional(options) }),
        options,
      ),
    delete: async (id, options = {}) =>
      nothing(endpoint('DELETE /admin/resourceServer/{id}', { id, headers: conditional(options) }), options),
    rotateSecret: async (id, { overlap, ...options } = {}) =>
      json(endpoint('POST /admin/resourceServer/{id}/secret', { id, overlap }), options),
    revokeTokens: async (id, options) =>
      nothing(endpoint('POST /admin/resourceServer/{id}/revocation', { id }), options),
    listOpen: async ({ q, limit, cursor } = {}, options) =>
      page(endpoint('GET /admin/openResourceServer', { q, limit, cursor }), options),
  };
}

function rightsClient({ endpoint, page, json, nothing }: Requests): RightsClient {
  return {
    list: async ({ clientId, limit, cursor } = {}, options) =>
      page(endpoint('GET /admin/right', { clientId, limit, cursor }), options),
    give: async (clientId, rights, options) =>
      json(endpoint('POST /admin/right/{clientId}', { clientId, rights }), options),
    end: async (clientId, right, options) =>
      nothing(endpoint('DELETE /admin/right/{clientId}{?right}', { clientId, right }), options),
  };
}

function sealingKeysClient({ endpoint, page, nothing }: Requests): SealingKeysClient {
  return {
    list: async ({ limit, cursor } = {}, options) =>
      page(endpoint('GET /admin/sealingKey', { limit, cursor }), options),
    renew: async (options) => nothing(endpoint('POST /admin/sealingKey/renewal'), options),
  };
}

function settingsClient({ endpoint, page }: Requests): SettingsClient {
  return {
    list: async ({ limit, cursor } = {}, options) =>
      page(endpoint('GET /admin/setting', { limit, cursor }), options),
  };
}

function signingKeysClient({ endpoint, page, json }: Requests): SigningKeysClient {
  return {
    list: async ({ limit, cursor } = {}, options) =>
      page(endpoint('GET /admin/signingKey', { limit, cursor }), options),
    import: async (fields, options) => json(endpoint('POST /admin/signingKey', { data: fields }), options),
    rotate: async (fields, options) =>
      json(endpoint('POST /admin/signingKey/rotation', { data: fields }), options),
    retire: async (fields, options) =>
      json(endpoint('POST /admin/signingKey/retirement', { data: fields }), options),
  };
}
