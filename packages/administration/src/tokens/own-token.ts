import {
  OAuthError,
  type PresentedAccessToken,
  type StoredAccessToken,
  sha256,
  type TransactionStores,
  targetsOf,
  withoutTargets,
} from '@watchword/protocol';
import { type ActiveToken, activeToken, type RegisteredRecords, seenBy } from '../callers/active-token.ts';
import type { Caller } from '../callers/caller.ts';
import type { Changed } from '../changes/change-records.ts';
import type { AccessTokenFields } from './access-token-administration.ts';
import { ofToken, tokenState } from './token-record.ts';

/** Names the state of a token. */
export function accessTokenTag({ scopes, expires }: AccessTokenFields): string {
  return sha256(JSON.stringify([scopes, expires])).toString('base64url', 0, 12);
}

/** What the caller can see of the token, if it is valid. @throws OAuthError `not_found` */
export async function ownToken(
  caller: Caller,
  found: Omit<PresentedAccessToken, 'format'> | undefined,
  records: RegisteredRecords,
): Promise<ActiveToken> {
  const token = found && (await activeToken(found, records));
  const seen = token && seenBy(caller, token);
  if (seen !== undefined) return seen;
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

/**
 * Ends a stored token, or what it gives at some resource servers. `false` if it was revoked before.
 *
 * @param part record ids; `undefined`: at all
 */
export async function endToken(
  token: StoredAccessToken | undefined,
  part: readonly number[] | undefined,
  { issuedTokens }: Pick<TransactionStores, 'issuedTokens'>,
): Promise<boolean> {
  if (token === undefined) return false;
  const { id, scopes, expires } = token;
  const left = part && withoutTargets(scopes, part);
  if (left === undefined || targetsOf(left)?.length === 0) return issuedTokens.revoke(id);
  return left !== scopes && issuedTokens.update(id, { scopes: left, expires });
}
