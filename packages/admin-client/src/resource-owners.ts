import type { CallOptions, Requests } from './requests.ts';

/** A person, by the names that access tokens have. */
export interface ResourceOwner {
  readonly resourceOwnerId: string;
  readonly resourceOwnerAuthority: string;
}

/** How much ended. */
export interface OwnerRevocation {
  /** Grants with all their tokens. */
  readonly grants: number;
  readonly loginSessions: number;
}

export interface ResourceOwnersClient {
  /** Every token that was issued in their name counts no more, and their login sessions end. */
  revoke(owner: ResourceOwner, options?: CallOptions): Promise<OwnerRevocation>;
}

export function resourceOwnersClient({ endpoint, json }: Requests): ResourceOwnersClient {
  return {
    revoke: async ({ resourceOwnerId, resourceOwnerAuthority }, options) =>
      json(
        endpoint('POST /admin/resourceOwner/revocation', { resourceOwnerId, resourceOwnerAuthority }),
        options,
      ),
  };
}
