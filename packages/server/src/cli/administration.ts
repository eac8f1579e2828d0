import type {
  AccessTokenFields,
  AccessTokenRecord,
  AccountFields,
  AccountRegistration,
  AnsweredClient,
  AuditKind,
  ClientRegistration,
  DescribedResourceServer,
  EndedByChange,
  EndedGrants,
  GrantRecord,
  Identity,
  ResourceServerRecord,
  ResourceServerRegistration,
  RevokedIssue,
  UsedRows,
} from '@watchword/protocol';
import type { requestErrorExplanation } from '../admin/records/request-error.ts';
import type { Dependents } from './dependents.ts';
import type { ListedRows, Row } from './output.ts';

/**
 * What the record commands do, on a database or on a server. Records have the JSON names of the administration
 * interface. A command finds a record by the name that administrators use. A missing record rejects with `not_found`.
 */
export interface Administration {
  readonly resourceServers: ResourceServerTools;
  readonly clients: ClientTools;
  readonly accessTokens: AccessTokenTools;
  readonly accounts: AccountTools;
  readonly grants: GrantTools;
  readonly identityProviders: IdentityProviderTools;
  readonly logoutDeliveries: LogoutDeliveryTools;
  readonly loginSessions: LoginSessionTools;
  readonly auditEvents: AuditEventTools;
  /** Why the request with that id was refused in the last day, and what mends it. */
  explain(requestId: string): Promise<Explanation>;
  /** When a change takes effect, as the end of a sentence. */
  readonly effect: string;
}

/** As the administration interface has it. */
export type Explanation = ReturnType<typeof requestErrorExplanation>;

export interface ResourceServerTools {
  /** By id. */
  list(options: ListOptions<number>): Promise<ListedRows>;
  find(key: string): Promise<ResourceServerRecord>;
  /** With the descriptions of its scopes. */
  describe(key: string): Promise<DescribedResourceServer>;
  /** `owner`, the record owner: `undefined` for the usual one; `key`: `undefined` for one that is made from the name. */
  create(
    fields: Partial<ResourceServerRegistration>,
    options: { readonly owner: Identity | undefined; readonly key: string | undefined },
  ): Promise<ResourceServerRecord & { readonly secret: string }>;
  update(
    key: string,
    changed: Partial<ResourceServerRegistration>,
    owner: Identity | undefined,
  ): Promise<ResourceServerRecord & { readonly resetClients?: readonly string[] }>;
  /** What would die with it. */
  dependents(key: string): Promise<Dependents>;
  delete(key: string): Promise<void>;
  /** Resolves with the new secret. */
  rotateSecret(key: string, overlap: number): Promise<string>;
  /** Revokes every token of its clients. */
  revokeTokens(key: string): Promise<void>;
}

export interface ClientTools {
  /** By id, of one resource server or of all; each with the key of its own as `resourceserver_key`. */
  list(options: ListOptions<number> & { readonly resourceServer: string | undefined }): Promise<ListedRows>;
  find(clientId: string): Promise<AnsweredClient>;
  /** @param clientId `undefined` for one that is made from the name */
  create(
    resourceServer: string,
    fields: Partial<ClientRegistration>,
    clientId: string | undefined,
  ): Promise<{ readonly client: AnsweredClient; readonly secret: string | undefined }>;
  update(
    clientId: string,
    changed: Partial<ClientRegistration>,
  ): Promise<AnsweredClient & { readonly reset?: readonly string[] }>;
  /** Why its requests were refused in the last day, the newest first. */
  errors(clientId: string, limit: number): Promise<ListedRows>;
  /** Confirms the record as it is, so that it is trusted. */
  confirm(clientId: string): Promise<AnsweredClient>;
  /** What would die with it. */
  dependents(clientId: string): Promise<Dependents>;
  delete(clientId: string): Promise<void>;
  rotateSecret(clientId: string, overlap: number): Promise<string>;
  revokeTokens(clientId: string): Promise<void>;
}

export interface AccessTokenTools {
  /** The oldest first. */
  list(
    options: ListOptions<string | undefined> & { readonly client: string | undefined },
  ): Promise<ListedRows>;
  find(id: string): Promise<AccessTokenRecord>;
  /** Finds a token by its text. */
  lookUp(text: string): Promise<AccessTokenRecord>;
  issue(
    clientId: string,
    scopes: readonly string[] | undefined,
  ): Promise<AccessTokenRecord & { readonly token: string }>;
  update(id: string, changed: Partial<AccessTokenFields>): Promise<AccessTokenRecord>;
  revoke(id: string): Promise<void>;
  /** Revokes what was issued at a time or later. */
  revokeIssued(selection: SelectedGrants & { readonly since: number }): Promise<RevokedIssue>;
}

/** Local accounts by username. */
export interface AccountTools {
  list(options: ListOptions<string | undefined>): Promise<ListedRows>;
  find(username: string): Promise<Row>;
  /**
   * Over the network the row has a reset link, and the password is not asked.
   *
   * @param askPassword asks for the password, or reads it
   */
  create(registration: AccountRegistration, askPassword: () => Promise<string>): Promise<Row>;
  /** Sets the fields. */
  update(username: string, changed: Partial<AccountFields>): Promise<EndedByChange>;
  /** Not over the network. @throws UsageError */
  setPassword(username: string, askPassword: () => Promise<string>): Promise<EndedByChange>;
  resetPassword(username: string): Promise<EndedByChange & { readonly resetLink: string }>;
  delete(username: string): Promise<EndedByChange>;
}

/** Which grants are meant; of several members all must fit. */
export interface SelectedGrants {
  /** Identifies one resource owner. */
  readonly subject: string | undefined;
  /** The clientId. */
  readonly client: string | undefined;
  /** Key of the resource server of the client. */
  readonly resourceServer: string | undefined;
  /** Epoch milliseconds. */
  readonly since: number | undefined;
}

export interface GrantTools {
  /** The newest first. @param options `resourceOwner`: a name, at any identity provider */
  list(
    options: SelectedGrants & { readonly resourceOwner: string | undefined; readonly limit: number },
  ): Promise<ListedRows>;
  find(id: string): Promise<GrantRecord>;
  end(id: string): Promise<void>;
  /** The numbers of what `endAll` would end. `isLeast`: there are more. */
  count(selection: SelectedGrants): Promise<EndedGrants & { readonly isLeast: boolean }>;
  endAll(selection: SelectedGrants): Promise<EndedGrants>;
}

export interface IdentityProviderTools {
  /** By name. */
  list(options: ListOptions<string | undefined>): Promise<ListedRows>;
  find(name: string): Promise<UsedRows & { readonly configured: boolean | null }>;
  end(name: string): Promise<UsedRows>;
}

/** Logout tokens that clients have not accepted. */
export interface LogoutDeliveryTools {
  /** Those of the newest sessions first. @param options `failed`: only those without another attempt */
  list(options: {
    readonly client: string | undefined;
    readonly failed: boolean | undefined;
    readonly limit: number;
  }): Promise<ListedRows>;
  retry(id: string): Promise<void>;
}

/** Which login sessions are meant; of several members all must fit. */
export interface SelectedSessions {
  readonly person: Identity | undefined;
  /** The clientId of a client that was granted access in the session. */
  readonly client: string | undefined;
  /** Epoch milliseconds. */
  readonly since: number | undefined;
}

/** Logins in browsers. */
export interface LoginSessionTools {
  /** The newest first. */
  list(sessions: SelectedSessions, limit: number): Promise<ListedRows>;
  end(id: string): Promise<void>;
}

/** Which events of the audit log are meant; of several members all must fit. */
export interface SelectedEvents {
  readonly person: Identity | undefined;
  /** The clientId. */
  readonly client: string | undefined;
  readonly kind: AuditKind | undefined;
  /** Epoch milliseconds. */
  readonly since: number | undefined;
  readonly until: number | undefined;
}

export interface AuditEventTools {
  /** The newest first. */
  list(events: SelectedEvents, limit: number): Promise<ListedRows>;
}

export interface ListOptions<Position> {
  readonly limit: number;
  /** Only records after this one. */
  readonly after: Position;
}
