import type { Page, PageQuery } from './page.ts';
import type { CallOptions, Requests } from './requests.ts';

/** An identity provider whose people have something: a module, or one of those that it names. */
export interface IdentityProvider extends IdentityProviderUse {
  readonly identityProvider: string;
  /** Whether the server is configured with it; `null` while it cannot tell. What people of any other have is refused. */
  readonly configured: boolean | null;
}

/** How much people have. */
export interface IdentityProviderUse {
  readonly loginSessions: number;
  /** Grants with all their tokens. */
  readonly grants: number;
  /** Clients of which somebody need not be asked again. */
  readonly consents: number;
}

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
