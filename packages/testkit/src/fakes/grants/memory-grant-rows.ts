import {
  type AuthorizationCode,
  type ConsentAnswer,
  type Grant,
  isStored,
  type RefreshToken,
  type SessionState,
  type StoredAccessToken,
  type TokenSet,
} from '@watchword/protocol';

export interface StoredGrant {
  grant: Grant;
  /** Epoch milliseconds; `undefined` while no part of it has ended. */
  partEndedAt?: number;
  lastUsed: number;
  /** 0: one of its tokens never expires. */
  expires: number;
  /** Epoch milliseconds; `undefined` while the grant is active. */
  revokedAt: number | undefined;
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

/** Whether the session is stored as it was read, or none is needed. */
export type IsHeld = (session: SessionState | undefined) => boolean;

/** The stored grants with their codes and refresh tokens, by id. */
export interface GrantRows {
  readonly grants: Map<string, StoredGrant>;
  readonly codes: Map<string, StoredCode>;
  readonly refreshTokens: Map<string, StoredRefreshToken>;
  /** `undefined` when the grant is revoked or unknown. */
  activeGrant(grantId: string | undefined): StoredGrant | undefined;
  /** Active grants that have not expired. */
  unexpired(now: number): StoredGrant[];
  put(grant: Grant, expires: number): void;
  /** Stores the tokens under the grant, which lasts at least as long as they do. */
  issue(stored: StoredGrant, issued: TokenSet, now: number, streak?: number): void;
  /** Whether the consent page with that id was answered. */
  isAnswered(id: string): boolean;
  /** `false` when the page was answered before. */
  note(answer: ConsentAnswer): boolean;
}

/** @param tokens access tokens, by id */
export function grantRows(tokens: Map<string, StoredAccessToken>): GrantRows {
  const grants = new Map<string, StoredGrant>();
  const codes = new Map<string, StoredCode>();
  const refreshTokens = new Map<string, StoredRefreshToken>();
  const noted = new Set<string>();
  const isAnswered = (id: string) => codes.has(id) || noted.has(id);

  return {
    grants,
    codes,
    refreshTokens,
    isAnswered,
    activeGrant(grantId) {
      const stored = grants.get(grantId ?? '');
      return stored?.revokedAt === undefined ? stored : undefined;
    },
    unexpired: (now) =>
      [...grants.values()].filter(
        ({ revokedAt, expires }) => revokedAt === undefined && (expires === 0 || expires > now),
      ),
    put(grant, expires) {
      grants.set(grant.id, { grant, lastUsed: grant.creationDate, expires, revokedAt: undefined });
    },
    issue(stored, { accessToken, refreshToken }, now, streak = 0) {
      if (isStored(accessToken)) tokens.set(accessToken.id, accessToken);
      if (refreshToken !== undefined) {
        const fresh = { token: refreshToken, rotation: undefined, repetitions: 0, streak };
        refreshTokens.set(refreshToken.id, fresh);
      }
      const never = stored.expires === 0 || accessToken.expires === 0;
      stored.expires = never ? 0 : Math.max(stored.expires, accessToken.expires, refreshToken?.expires ?? 0);
      stored.lastUsed = Math.max(stored.lastUsed, now);
    },
    note({ id }) {
      const isFirst = !isAnswered(id);
      noted.add(id);
      return isFirst;
    },
  };
}

/** `false` when there is no such grant, or it is revoked already. */
export function revoke(stored: StoredGrant | undefined, now: number): boolean {
  if (stored === undefined || stored.revokedAt !== undefined) return false;
  stored.revokedAt = now;
  return true;
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
