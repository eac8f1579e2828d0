import type { Page, PageQuery } from './page.ts';
import type { EndedGrants, Grant } from './records.ts';
import type { CallOptions, Requests } from './requests.ts';

/** Which grants are meant: those to which everything fits that is given. */
export interface GrantSelection {
  /** Identifies one resource owner: `subject` of a grant. */
  readonly subject?: string | undefined;
  readonly clientId?: string | undefined;
  /** Record id of the resource server of the client. */
  readonly resourceServerId?: number | undefined;
  /** Epoch milliseconds: only grants that were made, and consents that were given, at this time or later. */
  readonly since?: number | undefined;
}

export interface GrantQuery extends GrantSelection, PageQuery {
  /** Part of the resource owner's name, the client's name or the clientId. */
  readonly q?: string | undefined;
  /** Name of resource owners, at any identity provider. */
  readonly resourceOwnerId?: string | undefined;
}

/** The access that resource owners granted to clients. */
export interface GrantsClient {
  /** Newest first. */
  list(query?: GrantQuery, options?: CallOptions): Promise<Page<Grant>>;
  get(id: string, options?: CallOptions): Promise<Grant>;
  /** Revokes the grant with all its tokens, and forgets what its resource owner consented to for the client. */
  end(id: string, options?: CallOptions): Promise<void>;
  /** Ends all of these grants. Rejects when nothing is selected. Resolves with the numbers of what ended. */
  endAll(selection: GrantSelection, options?: CallOptions): Promise<EndedGrants>;
}

export function grantsClient({ endpoint, json, page, nothing }: Requests): GrantsClient {
  return {
    list: async (query = {}, options) => {
      const { q, subject, clientId, resourceServerId, since, resourceOwnerId, limit, cursor } = query;
      const filters = { q, subject, clientId, resourceServerId, since, resourceOwnerId };
      return page(endpoint('GET /admin/grant', { ...filters, limit, cursor }), options);
    },
    get: async (id, options) => json(endpoint('GET /admin/grant/{id}', { id }), options),
    end: async (id, options) => nothing(endpoint('DELETE /admin/grant/{id}', { id }), options),
    endAll: async ({ subject, clientId, resourceServerId, since }, options) => {
      const selection = { subject, clientId, resourceServerId, since };
      return json(
        endpoint('DELETE /admin/grant{?subject,clientId,resourceServerId,since}', selection),
        options,
      );
    },
  };
}
