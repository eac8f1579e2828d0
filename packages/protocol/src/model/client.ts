import type { clientFields } from './fields/client.ts';
import type { StoredFields } from './fields/field.ts';
import type { MachineSecret } from './machine-secret.ts';

/** A client application (RFC 6749 §2): its fields as {@link clientFields} describes them, and what the server keeps. */
export interface Client extends StoredFields<typeof clientFields> {
  /** A public client has none. A confidential client that has none can never authenticate. */
  readonly secret: MachineSecret | undefined;
  /** Epoch milliseconds: a token or a grant of this timestamp or before is revoked. 0 = none is. */
  readonly tokensValidFrom: number;
  /** Grows with each change of the record. */
  readonly revision: number;
}

/**
 * Whether a token is revoked with all tokens of its client. A token that is issued while they are being revoked is younger
 * than the revocation, and so is one from a node that does not know of it yet: then the grant is the older one.
 */
export function isRevokedWithClient(
  { tokensValidFrom }: Pick<Client, 'tokensValidFrom'>,
  token: { readonly creationDate: number },
  grant?: { readonly creationDate: number },
): boolean {
  return (
    token.creationDate <= tokensValidFrom || (grant !== undefined && grant.creationDate <= tokensValidFrom)
  );
}

/**
 * Epoch milliseconds: the creation date of what is issued to the client now. It is after the last revocation of all tokens of
 * the client, also in the same millisecond, or when the clock was set back: else it would count as revoked.
 */
export function creationDateFor({ tokensValidFrom }: Pick<Client, 'tokensValidFrom'>, now: number): number {
  return Math.max(now, tokensValidFrom + 1);
}

/**
 * An implicit-grant client is public (RFC 6749 §2.1): it has no secret and authenticates with its
 * `client_id` alone. The registration decides, never an absent secret, so that a confidential
 * client whose secret is lost stays confidential.
 */
export function isPublicClient(client: Client): boolean {
  return client.allowedImplicitGrant;
}
