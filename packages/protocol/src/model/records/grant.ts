import type { ClaimsRequest } from '../claims-request.ts';
import type { ResourceOwner } from '../resource-owner.ts';
import type { Scopes } from '../scope.ts';
import type { AuthenticationEvent } from './authentication-event.ts';

/**
 * The access that a resource owner granted to a client. Its authorization code, access tokens and refresh tokens belong to it
 * and are valid only while it is not revoked.
 */
export interface Grant {
  /** UUIDv7 in canonical text form. */
  readonly id: string;
  /** Record id of the client. */
  readonly clientRecordId: number;
  readonly owner: ResourceOwner;
  /** The login with which the resource owner granted it. */
  readonly authentication: AuthenticationEvent;
  readonly scopes: Scopes;
  /** The claims that the client requested by name (OpenID Connect Core §5.5); absent when it requested none. */
  readonly claims?: ClaimsRequest;
  /** Epoch milliseconds. */
  readonly creationDate: number;
}
