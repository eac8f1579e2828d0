import type { AuthorizationCode, Grant, StoredAccessToken, TokenPair } from '@watchword/protocol';
import { tokenFactory } from './access-token.ts';
import { buildAuthenticationEvent } from './authentication.ts';
import { buildResourceOwner } from './resource-owner.ts';
import { selectorFactory } from './selector.ts';

const minute = 60_000;
const hour = 60 * minute;

export interface StoredTokens extends TokenPair {
  readonly accessToken: StoredAccessToken;
}

/** Makes grants with their codes and tokens; the ids hold `creationDate`, which the store can rely on. */
export interface GrantFactory {
  grant(overrides?: Partial<Grant>): Grant;
  /** Expires after a minute. */
  code(grant: Grant, overrides?: Partial<AuthorizationCode>): AuthorizationCode;
  /** The access token expires after an hour, the refresh token after two. */
  tokens(grant: Grant, creationDate?: number): StoredTokens;
}

export function grantFactory(seed = 'grants'): GrantFactory {
  const selector = selectorFactory(seed);
  const accessToken = tokenFactory(`${seed}/tokens`);
  return {
    grant(overrides = {}) {
      const creationDate = overrides.creationDate ?? Date.UTC(2026, 0, 1);
      const { id } = selector(creationDate);
      return {
        id,
        clientRecordId: 1,
        owner: buildResourceOwner(),
        authentication: buildAuthenticationEvent(),
        scopes: ['read', 'write'],
        creationDate,
        ...overrides,
      };
    },

    code(grant, overrides = {}) {
      const creationDate = overrides.creationDate ?? grant.creationDate;
      return {
        ...selector(creationDate, grant.id),
        grantId: grant.id,
        clientRecordId: grant.clientRecordId,
        redirectUri: 'https://app.example/cb',
        codeChallenge: undefined,
        scopes: grant.scopes,
        expires: creationDate + minute,
        creationDate,
        ...overrides,
      };
    },

    tokens(grant, creationDate = grant.creationDate) {
      const { id: grantId, clientRecordId, scopes } = grant;
      const under = { grantId, clientRecordId, scopes, creationDate };
      return {
        accessToken: accessToken({ ...under, expires: creationDate + hour }),
        refreshToken: {
          ...selector(creationDate, grantId),
          ...under,
          expires: creationDate + 2 * hour,
          absoluteExpires: creationDate + 48 * hour,
        },
      };
    },
  };
}
