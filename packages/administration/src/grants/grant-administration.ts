import type {
  AccessElsewhere,
  Client,
  EndedGrants,
  GrantListStore,
  Identity,
  Principal,
  ResourceServer,
  Scopes,
} from '@watchword/protocol';
import type { RegisteredRecords } from '../callers/active-token.ts';
import type { Caller } from '../callers/caller.ts';
import type { AdministrationDependencies } from '../changes/change-records.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import type { GrantFilter, GrantPosition } from './grant-sources.ts';

/**
 * The access of a client on behalf of a resource owner: a grant under which a code or token can be valid, or a consent that
 * is remembered, with which the client gets a new grant without a question.
 */
export interface ListedGrant {
  /** Of a remembered consent the id of the grant with which it was given. */
  readonly id: string;
  readonly client: Client;
  readonly resourceServer: ResourceServer;
  readonly owner: GrantOwner;
  /** Granted scopes that the client still has; empty for a consent without a grant. */
  readonly scopes: Scopes;
  /** Scopes of remembered consents of the same resource owner for the same client. */
  readonly consentedScopes: Scopes;
  /** The same at other resource servers than that of the client. */
  readonly others: readonly OtherAccess[];
  /**
   * The client belongs to a resource server of another owner: this is only what it can do at these resource servers, which are the
   * caller's (record ids). `resourceServer` is the first of them.
   */
  readonly part?: readonly number[];
  /** Epoch milliseconds. */
  readonly creationDate: number;
  /** Epoch milliseconds: the last issue of a token of the grant; `undefined` for a consent without a grant. */
  readonly lastUsed: number | undefined;
  readonly hasRefreshToken: boolean;
  /** Access tokens that have not expired. */
  readonly accessTokens: number;
}

/** What was granted, and what is remembered, at another resource server. */
export interface OtherAccess extends AccessElsewhere {
  readonly consentedScopes: Scopes;
}

interface GrantOwner extends Identity {
  readonly subject: string;
  /** Only for administrators, and only for a grant: a consent without a grant has no principal. */
  readonly principal?: Principal;
}

/**
 * Lists grants. Administrators get all grants, other callers those for the clients of their resource servers, and of those for clients of
 * others what these can do at their resource servers. Any other grant is `not_found`, as if it did not exist.
 */
export interface GrantAdministration {
  /**
   * A grant without a valid access token is listed until none of its codes and tokens can be valid. After that, the
   * consent that was given with it is listed alone while it is remembered. Newest first, also by resource server.
   */
  list(
    caller: Caller,
    filter: GrantFilter,
    page: PageRequest<GrantPosition>,
  ): Promise<Page<ListedGrant, GrantPosition>>;
  /** @throws OAuthError `not_found` */
  find(caller: Caller, id: string): Promise<ListedGrant>;
  /**
   * Revokes the grant with its code and tokens, and forgets what its resource owner consented to for the client. Of a part it ends that alone.
   *
   * @throws OAuthError `not_found`
   */
  end(caller: Caller, id: string): Promise<EndedGrants>;
  /**
   * Ends every grant of the list with this filter, as `end` does; by a resource server, what clients of others can do there. Grants are ended in batches: after an error, a part of
   * them has ended.
   *
   * @throws OAuthError `invalid_request` for a filter that names neither subject, client nor resource server
   */
  endAll(caller: Caller, filter: GrantSelection): Promise<EndedGrants>;
}

/** Which grants are ended together. */
export type GrantSelection = Pick<GrantFilter, 'subject' | 'clientId' | 'resourceServerId' | 'since'>;

export interface GrantAdministrationDependencies extends AdministrationDependencies {
  readonly grantList: GrantListStore;
  /** In memory, where the records are in memory. */
  readonly registered: RegisteredRecords;
}
