import { type AccessToken, isStored, type RefreshToken } from '@watchword/protocol';
import { add, type Command } from '../hot/command.ts';
import { statements } from '../hot/statements.ts';
import { accessTokenRow, refreshTokenRow, requireGrant } from './token-rows.ts';
import type { TokenSegments } from './token-segments.ts';

/** The tokens for which a code or a refresh token was exchanged. */
export interface Issued {
  readonly accessToken: AccessToken;
  readonly refreshToken: RefreshToken | undefined;
  /** The refresh token that was rotated. */
  readonly predecessorId?: string;
  /** When a refresh token expires that was kept (epoch milliseconds). */
  readonly keptUntil?: number;
}

/** The grant of an access token that was issued under one. */
export function grantIdOf({ grantId }: AccessToken): string {
  if (grantId === undefined) throw new Error('a token of a grant must name the grant');
  return grantId;
}

/** Stores the tokens, and the time of use in their grant. The grant is all that is stored of a JWT. */
export function addIssued(
  command: Command,
  { accessToken, refreshToken, predecessorId, keptUntil = 0 }: Issued,
  now: number,
  segments: TokenSegments,
): void {
  const id = grantIdOf(accessToken);
  if (isStored(accessToken))
    add(command, statements.insertAccessToken, accessTokenRow(accessToken, segments));
  if (refreshToken !== undefined) {
    requireGrant(refreshToken, id);
    const row = refreshTokenRow(refreshToken);
    if (predecessorId === undefined) add(command, statements.insertRefreshToken, row);
    else add(command, statements.insertSuccessor, { ...row, predecessor_id: predecessorId });
  }
  const expires =
    accessToken.expires === 0 ? 0 : Math.max(accessToken.expires, refreshToken?.expires ?? keptUntil);
  add(command, statements.useGrant, { id, now, expires });
}
