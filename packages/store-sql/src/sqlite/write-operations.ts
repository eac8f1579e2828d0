import type { AccessToken } from '@watchword/protocol';
import { formatScope } from '@watchword/protocol';

/**
 * The hot writes. Each is an array of primitives, which crosses to the writer thread far faster than an
 * object with byte arrays; the digest travels as a string of one character a byte.
 */
export type WriteOperation =
  | readonly [
      type: 'insertAccessToken',
      id: string,
      verifierHash: string,
      clientRecordId: number,
      scopes: string,
      expires: number,
      creationDate: number,
    ]
  | readonly [type: 'revokeAccessToken', id: string];

/** Rows changed. */
export type WriteResult = number;

export function insertAccessToken(token: AccessToken): WriteOperation {
  const { buffer, byteOffset, byteLength } = token.verifierHash;
  const hash = Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
  const { id, clientRecordId, scopes, expires, creationDate } = token;
  return ['insertAccessToken', id, hash, clientRecordId, formatScope(scopes), expires, creationDate];
}
