import type { OwnerRevocation, ResourceOwner } from './records.ts';
import type { CallOptions, Requests } from './requests.ts';

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
