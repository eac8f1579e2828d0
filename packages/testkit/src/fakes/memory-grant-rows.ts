import type { AuthorizationCode, Grant, RefreshToken, TokenSet } from '@watchword/protocol';

export interface StoredGrant {
  readonly grant: Grant;
  lastUsed: number;
  /** 0: one of its tokens never expires. */
  expires: number;
  isRevoked: boolean;
}

export interface StoredCode {
  readonly code: AuthorizationCode;
  failures: number;
  isRedeemed: boolean;
}

export interface StoredRefreshToken {
  readonly token: RefreshToken;
  rotation: { readonly at: number; readonly sealedAnswer: string; readonly successorId: string } | undefined;
  repetitions: number;
  readonly streak: number;
}

/** @throws when a token does not belong to the grant */
export function requireGrants(grantId: string, { accessToken, refreshToken }: TokenSet): void {
  for (const token of [accessToken, refreshToken ?? accessToken]) requireGrant(grantId, token);
}

/** @throws when the record does not belong to the grant */
export function requireGrant(grantId: string, record: { readonly grantId: string | undefined }): void {
  if (record.grantId !== grantId)
    throw new Error('records that are stored together must belong to one grant');
}
