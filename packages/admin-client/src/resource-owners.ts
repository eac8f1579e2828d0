import type { OwnerRevocation, ResourceOwner } from './records.ts';
import type { CallOptions, Requests } from './requests.ts';

export interface ResourceOwnersClient {
  /** Revokes all tokens of the resource owner and ends their login sessions. */
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
