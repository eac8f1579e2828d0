import { openWith, sealWith } from '../keys/aead.ts';
import { derivedKey } from '../keys/derived-key.ts';
import type { Confirmation } from '../model/records/access-token.ts';
import { type Client, creationDateFor, isPublicClient } from '../model/records/client.ts';
import type { RefreshToken } from '../model/records/refresh-token.ts';
import type { Random } from '../ports/crypto/random.ts';
import type { Clock } from '../ports/system/clock.ts';
import { createBearerValue } from './bearer-value.ts';

export interface RefreshTokenLifetimes {
  /** Seconds without use after which a refresh token expires. */
  readonly refreshIdleLifetime: number;
  /** Seconds after which its token family expires, however often it is used. */
  readonly refreshLifetime: number;
}

export interface RefreshTokenMaking extends RefreshTokenLifetimes {
  readonly clock: Clock;
  readonly random: Random;
}

/** A refresh token, and the text that is handed out once. */
export interface NewRefreshToken {
  readonly refreshToken: RefreshToken;
  readonly refreshTokenValue: string;
}

export interface RefreshTokenContent extends Pick<RefreshToken, 'grantId' | 'scopes'> {
  /** When the token family expires (epoch milliseconds); absent for the first token of a family. */
  readonly absoluteExpires?: number;
  /** What it is bound to, if it is. */
  readonly confirmation: Confirmation | undefined;
}

/**
 * What the refresh tokens of a client are bound to: those of a public client to its keys, as its access tokens are. Those of another are
 * bound to its authentication already (RFC 9449 §5, RFC 8705 §7.1).
 */
export function refreshConfirmation(
  client: Client,
  confirmation: Confirmation | undefined,
): Confirmation | undefined {
  return isPublicClient(client) ? confirmation : undefined;
}

/** Makes a refresh token and stores nothing. */
export function newRefreshToken(
  client: Client,
  { grantId, scopes, absoluteExpires, confirmation }: RefreshTokenContent,
  { clock, random, refreshLifetime, refreshIdleLifetime }: RefreshTokenMaking,
): NewRefreshToken {
  const now = creationDateFor(client, clock.now());
  const { value, id, verifierHash } = createBearerValue('refresh', now, random, grantId);
  const end = absoluteExpires ?? now + refreshLifetime * 1000;
  const refreshToken = {
    id,
    verifierHash,
    grantId,
    clientRecordId: client.id,
    scopes,
    expires: Math.min(now + refreshIdleLifetime * 1000, end),
    absoluteExpires: end,
    creationDate: now,
    ...(confirmation !== undefined && { confirmation }),
  };
  return { refreshToken, refreshTokenValue: value };
}

const context = 'answer to a refresh token';

/** Seals the answer to a rotation under a key that is derived from the old token: the database alone cannot open it. */
export function sealAnswer(oldToken: string, answer: unknown, random: Random): string {
  return sealWith(derivedKey(oldToken, context), JSON.stringify(answer), context, random);
}

export function openAnswer(oldToken: string, sealed: string): unknown {
  const opened = openWith(derivedKey(oldToken, context), sealed, context);
  return opened === undefined ? undefined : JSON.parse(opened);
}
