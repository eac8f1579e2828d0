import type { Scopes } from './scope.ts';

/** An access token as it is stored: its verifier only as a digest, so a stolen database opens nothing. */
export interface AccessToken {
  /** UUIDv7 in canonical text form: the selector, which orders tokens by the time of their issue. */
  readonly id: string;
  /** SHA-256 digest of the verifier, 32 bytes. */
  readonly verifierHash: Uint8Array;
  /** Record id of the client it was issued to. */
  readonly clientRecordId: number;
  /** The grant it hangs on; `undefined` for a client-credentials token, which nobody granted. */
  readonly grantId: string | undefined;
  readonly scopes: Scopes;
  /** Epoch milliseconds; 0 = does not expire. */
  readonly expires: number;
  /** Epoch milliseconds. */
  readonly creationDate: number;
}

export function isExpired(token: AccessToken, now: number): boolean {
  return token.expires !== 0 && token.expires <= now;
}
