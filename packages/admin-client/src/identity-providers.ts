import type { Page, PageQuery } from './page.ts';
import type { IdentityProvider } from './records.ts';
import type { CallOptions, Requests } from './requests.ts';

/** Numbers of the sessions, grants and consents of its users. */
export type IdentityProviderUse = Pick<IdentityProvider, 'loginSessions' | 'grants' | 'consents'>;

export interface IdentityProviderQuery extends PageQuery {
  readonly configured?: boolean | undefined;
}

/** For administrators. */
export interface IdentityProvidersClient {
  /** Sorted by name. */
  list(query?: IdentityProviderQuery, options?: CallOptions): Promise<Page<IdentityProvider>>;
  /** Ends all sessions, grants and consents of its users, and resolves with their numbers. */
  end(identityProvider: string, options?: CallOptions): Promise<IdentityProviderUse>;
}

export function identityProvidersClient({ endpoint, json, page }: Requests): IdentityProvidersClient {
  return {
    list: async ({ configured, limit, cursor } = {}, options) =>
      page(endpoint('GET /admin/identityProvider', { configured, limit, cursor }), options),
    end: async (identityProvider, options) =>
      json(endpoint('POST /admin/identityProvider/revocation', { identityProvider }), options),
  };
}
