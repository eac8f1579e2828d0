import type { Page, PageQuery } from './page.ts';
import type { IdentityProvider } from './records.ts';
import type { CallOptions, Requests } from './requests.ts';

/** How much people have. */
export type IdentityProviderUse = Pick<IdentityProvider, 'loginSessions' | 'grants' | 'consents'>;

export interface IdentityProviderQuery extends PageQuery {
  readonly configured?: boolean | undefined;
}

/** For administrators. */
export interface IdentityProvidersClient {
  /** By name. */
  list(query?: IdentityProviderQuery, options?: CallOptions): Promise<Page<IdentityProvider>>;
  /** Ends for good what its people have, and resolves with how much that was. */
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
