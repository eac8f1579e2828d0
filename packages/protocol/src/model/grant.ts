import type { ResourceOwner } from './resource-owner.ts';
import type { Scopes } from './scope.ts';

/**
 * What a resource owner allowed a client: the root on which its authorization code, access tokens and
 * refresh tokens hang. Revoking it kills them all.
 */
export interface Grant {
  /** UUIDv7 in canonical text form. */
  readonly id: string;
  /** Record id of the client. */
  readonly clientRecordId: number;
  readonly owner: ResourceOwner;
  readonly scopes: Scopes;
  /** Epoch milliseconds. */
  readonly creationDate: number;
}
