import type { MachineSecret } from './machine-secret.ts';
import type { Scopes } from './scope.ts';

/** A client application (RFC 6749 §2). */
export interface Client {
  readonly id: number;
  /** Issued on creation from `clientName`, never changed. */
  readonly clientId: string;
  /** A public client has none. A confidential client that has none can never authenticate. */
  readonly secret: MachineSecret | undefined;
  readonly clientName: string;
  readonly description: string;
  readonly contactName: string;
  readonly contactEmail: string;
  readonly thumbNailUrl: string;
  readonly resourceServerId: number;
  readonly scopes: Scopes;
  readonly redirectUris: readonly string[];
  readonly allowedClientCredentials: boolean;
  readonly allowedImplicitGrant: boolean;
  readonly useRefreshTokens: boolean;
  readonly skipConsent: boolean;
  /** An administrator or the local command line created or confirmed the record as it is. */
  readonly trusted: boolean;
  readonly includePrincipal: boolean;
  /** Access-token lifetime in seconds; 0 = tokens do not expire. */
  readonly expireDuration: number;
  readonly attributes: Readonly<Record<string, string>>;
  /** Epoch milliseconds: a token issued at or before this moment is revoked. 0 = none is. */
  readonly tokensValidFrom: number;
  /** Grows with each change of the record. */
  readonly revision: number;
}

/**
 * An implicit-grant client is public (RFC 6749 §2.1): it has no secret and authenticates with its
 * `client_id` alone. Judged by the registration and never by an absent secret, so that a confidential
 * client whose secret is lost stays confidential.
 */
export function isPublicClient(client: Client): boolean {
  return client.allowedImplicitGrant;
}
