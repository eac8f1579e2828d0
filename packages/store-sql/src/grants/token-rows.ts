import {
  type AccessToken,
  type AuthorizationCode,
  formatScope,
  type RefreshToken,
  type StoredAccessToken,
} from '@watchword/protocol';
import type { Named } from '../hot/columns.ts';
import type { accessTokenColumns, authorizationCodeColumns, refreshTokenColumns } from '../hot/tables.ts';
import type { TokenSegments } from './token-segments.ts';

export function accessTokenRow(
  token: StoredAccessToken,
  segments: Pick<TokenSegments, 'next'>,
): Named<typeof accessTokenColumns> {
  return {
    ...issuedColumns(token),
    grant_id: token.grantId ?? null,
    confirmation: confirmationColumn(token),
    segment: segments.next(token.creationDate),
  };
}

export function authorizationCodeRow(code: AuthorizationCode): Named<typeof authorizationCodeColumns> {
  return {
    ...issuedColumns(code),
    grant_id: code.grantId,
    redirect_uri: code.redirectUri ?? null,
    code_challenge: code.codeChallenge ?? null,
    nonce: code.nonce ?? null,
    dpop_jkt: code.dpopJkt ?? null,
  };
}

export function refreshTokenRow(token: RefreshToken): Named<typeof refreshTokenColumns> {
  return {
    ...issuedColumns(token),
    grant_id: token.grantId,
    absolute_expires: token.absoluteExpires,
    confirmation: confirmationColumn(token),
  };
}

function confirmationColumn({ confirmation }: Pick<AccessToken, 'confirmation'>): string | null {
  return confirmation === undefined ? null : JSON.stringify(confirmation);
}

function issuedColumns(issued: Omit<StoredAccessToken, 'grantId'>) {
  return {
    id: issued.id,
    verifier_hash: issued.verifierHash,
    client_record_id: issued.clientRecordId,
    scopes: formatScope(issued.scopes),
    expires: issued.expires,
    creation_date: issued.creationDate,
  };
}

/** @throws Error if the rows that are stored together belong to different grants */
export function requireGrant(
  { grantId }: { readonly grantId: string | undefined },
  expected: string | undefined,
): void {
  if (grantId !== expected) throw new Error('a code or token must be stored with its own grant');
}
