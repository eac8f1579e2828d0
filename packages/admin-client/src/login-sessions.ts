import type { Page, PageQuery } from './page.ts';
import type { LoginSession } from './records.ts';
import type { CallOptions, Requests } from './requests.ts';

/** One person. The names are given together: the same name at another identity provider is another person. */
export interface PersonSelection {
  /** Principal name. */
  readonly resourceOwnerId?: string | undefined;
  readonly identityProvider?: string | undefined;
}

export interface LoginSessionQuery extends PageQuery, PersonSelection {
  /** Only sessions in which this client was granted access. */
  readonly clientId?: string | undefined;
  /** Epoch milliseconds: only sessions that began at this time or later. */
  readonly since?: number | undefined;
}

/** Login sessions, for administrators. */
export interface LoginSessionsClient {
  /** Newest first. */
  list(query?: LoginSessionQuery, options?: CallOptions): Promise<Page<LoginSession>>;
  /** The user must log in again. Grants and tokens stay. */
  end(id: string, options?: CallOptions): Promise<void>;
}

export function loginSessionsClient({ endpoint, page, nothing }: Requests): LoginSessionsClient {
  return {
    list: async (query = {}, options) => {
      const { resourceOwnerId, identityProvider, clientId, since, limit, cursor } = query;
      const filters = { resourceOwnerId, identityProvider, clientId, since };
      return page(endpoint('GET /admin/loginSession', { ...filters, limit, cursor }), options);
    },
    end: async (id, options) => nothing(endpoint('DELETE /admin/loginSession/{id}', { id }), options),
  };
}
