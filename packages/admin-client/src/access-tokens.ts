import type { GrantSelection } from './grants.ts';
import type { Page, PageQuery } from './page.ts';
import type { AccessToken, AccessTokenFields, AccessTokenWithValue, RevokedIssue } from './records.ts';
import {
  type CallOptions,
  type ChangeOptions,
  conditional,
  type Requests,
  type Versioned,
} from './requests.ts';

export interface AccessTokenQuery extends PageQuery {
  /** Part of the client's name, the clientId or the resource owner's name. */
  readonly q?: string | undefined;
  readonly clientId?: string | undefined;
  /** Name of the resource owner. */
  readonly resourceOwnerId?: string | undefined;
  readonly expired?: boolean | undefined;
}

/** The fields of a new access token. */
export interface AccessTokenRequest extends Partial<AccessTokenFields> {
  /** The client that it is issued to. */
  readonly clientId: string;
}

/** Which tokens are revoked together: those to which everything fits that is given. */
export interface IssuedSelection extends Omit<GrantSelection, 'since'> {
  /** Epoch milliseconds. */
  readonly since: number;
}

export interface AccessTokensClient {
  /** Newest first. */
  list(query?: AccessTokenQuery, options?: CallOptions): Promise<Page<AccessToken>>;
  get(id: string, options?: CallOptions): Promise<Versioned<AccessToken>>;
  /** Finds a token by its text, which is sent in the body of the request. Rejects with `not_found`. */
  lookUp(token: string, options?: CallOptions): Promise<Versioned<AccessToken>>;
  create(request: AccessTokenRequest, options?: CallOptions): Promise<AccessTokenWithValue>;
  /** Narrows the scopes or changes the expiry. */
  update(
    id: string,
    fields: Partial<AccessTokenFields>,
    options?: ChangeOptions,
  ): Promise<Versioned<AccessToken>>;
  revoke(id: string, options?: ChangeOptions): Promise<void>;
  /** Revokes what was issued at a time or later. Rejects when neither person, client nor resource server is selected. */
  revokeIssued(selection: IssuedSelection, options?: CallOptions): Promise<RevokedIssue>;
}

export function accessTokensClient({
  endpoint,
  json,
  versioned,
  page,
  nothing,
}: Requests): AccessTokensClient {
  return {
    list: async ({ q, clientId, resourceOwnerId, expired, limit, cursor } = {}, options) =>
      page(
        endpoint('GET /admin/accessToken', { q, clientId, resourceOwnerId, expired, limit, cursor }),
        options,
      ),
    get: async (id, options) => versioned(endpoint('GET /admin/accessToken/{id}', { id }), options),
    lookUp: async (token, options) =>
      versioned(endpoint('POST /admin/accessToken/lookup', { token }), options),
    create: async (request, options) => json(endpoint('POST /admin/accessToken', { data: request }), options),
    update: async (id, fields, options = {}) =>
      versioned(
        endpoint('PATCH /admin/accessToken/{id}', { id, data: fields, headers: conditional(options) }),
        options,
      ),
    revoke: async (id, options = {}) =>
      nothing(endpoint('DELETE /admin/accessToken/{id}', { id, headers: conditional(options) }), options),
    revokeIssued: async ({ subject, clientId, resourceServerId, since }, options) =>
      json(
        endpoint('DELETE /admin/accessToken{?subject,clientId,resourceServerId,since}', {
          ...{ subject, clientId, resourceServerId, since },
        }),
        options,
      ),
  };
}
