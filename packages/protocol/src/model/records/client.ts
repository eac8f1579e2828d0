import type { clientFields } from '../fields/client.ts';
import type { StoredFields } from '../fields/field.ts';
import type { MachineSecret } from '../machine-secret.ts';

/** A client application (RFC 6749 §2): its fields of {@link clientFields}, and further data of the server. */
export interface Client extends StoredFields<typeof clientFields> {
  /** A public client has none. A confidential client that has none cannot authenticate before it gets one. */
  readonly secret: MachineSecret | undefined;
  /** Epoch milliseconds: a token or a grant of this timestamp or before is revoked. 0 = none is. */
  readonly tokensValidFrom: number;
  /**
   * Other resource servers that it could use until a moment ago. They still hear of its revocations, because they can have JWTs
   * of it. The store keeps the list.
   */
  readonly formerResourceServers: readonly FormerResourceServer[];
  /** Grows with each change of the record. */
  readonly revision: number;
}

export interface FormerResourceServer {
  readonly resourceServerId: number;
  /** Epoch milliseconds: no JWT of the client for it is valid afterwards. */
  readonly until: number;
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

/** Milliseconds: the coarsest time unit of a format of tokens, that of JWTs. */
export const coarsestTimeUnit = 1000;

/**
 * Epoch milliseconds: the creation date of what is issued to the client now. It is after the last revocation of all tokens of
 * the client, also in the same millisecond, or when the clock was set back: otherwise it would be revoked.
 *
 * @param unit milliseconds of which the date is a multiple; a JWT has times in seconds
 */
export function creationDateFor(
  { tokensValidFrom }: Pick<Client, 'tokensValidFrom'>,
  now: number,
  unit = 1,
): number {
  return Math.max(Math.floor(now / unit), Math.floor(tokensValidFrom / unit) + 1) * unit;
}

/**
 * Epoch milliseconds, not before `now`: the latest creation date of what was issued to the client until now. It is later than now when
 * its tokens were revoked a moment ago.
 */
export function latestCreationDate(client: Pick<Client, 'tokensValidFrom'>, now: number): number {
  return client.tokensValidFrom === 0 ? now : Math.max(now, creationDateFor(client, now, coarsestTimeUnit));
}

/**
 * A public client (RFC 6749 §2.1) has no secret and authenticates with its `client_id` alone. The registration decides,
 * never an absent secret, so that a confidential client whose secret is lost stays confidential.
 */
export function isPublicClient({ confidential }: Pick<Client, 'confidential'>): boolean {
  return !confidential;
}

/** Whether it authenticates with a secret: a public client has none, and neither has one with assertions instead. */
export function usesSecret(client: Pick<Client, 'confidential' | 'tokenEndpointAuthMethod'>): boolean {
  return (
    !isPublicClient(client) &&
    !['private_key_jwt', 'assertion_issuer'].includes(client.tokenEndpointAuthMethod)
  );
}

/** Whether it can only authenticate once a rotation has given it a secret: it had no use for one before. */
export function lacksSecret(
  client: Pick<Client, 'confidential' | 'tokenEndpointAuthMethod' | 'secret'>,
): boolean {
  return usesSecret(client) && client.secret === undefined;
}

/**
 * Whether a stored client is confidential. Earlier releases stored no such field, and write rows without a change of it
 * while they run beside this one: there the implicit grant made a client public.
 */
export function isStoredConfidential({
  confidential,
  allowedImplicitGrant,
}: Pick<Client, 'confidential' | 'allowedImplicitGrant'>): boolean {
  return confidential && !allowedImplicitGrant;
}
