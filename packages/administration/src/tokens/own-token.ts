import { OAuthError, type PresentedAccessToken, sha256 } from '@watchword/protocol';
import {
  type ActiveToken,
  activeToken,
  isOwnToken,
  type RegisteredRecords,
} from '../callers/active-token.ts';
import type { Caller } from '../callers/caller.ts';
import type { Changed } from '../changes/change-records.ts';
import type { AccessTokenFields } from './access-token-administration.ts';
import { ofToken, tokenState } from './token-record.ts';

/** Names the state of a token. */
export function accessTokenTag({ scopes, expires }: AccessTokenFields): string {
  return sha256(JSON.stringify([scopes, expires])).toString('base64url', 0, 12);
}

/** The token, if it is valid and that of the caller. @throws OAuthError `not_found` */
export async function ownToken(
  caller: Caller,
  found: Omit<PresentedAccessToken, 'format'> | undefined,
  records: RegisteredRecords,
): Promise<ActiveToken> {
  const token = found && (await activeToken(found, records));
  if (token !== undefined && isOwnToken(caller, token)) return token;
  throw new OAuthError('token_not_found');
}

/**
 * The revocation of a token.
 *
 * @param isDeleted `false` if the token was revoked before
 * @throws OAuthError `not_found`
 */
export function deletedToken(token: ActiveToken, isDeleted: boolean): Changed<void> {
  if (!isDeleted) throw new OAuthError('token_not_found');
  const change = { action: 'delete', ...ofToken(token), before: tokenState(token) } as const;
  return { value: undefined, changes: [change] };
}
