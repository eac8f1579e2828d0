import type { AccessToken } from '@watchword/protocol';
import { formatScope } from '@watchword/protocol';
import type { AttemptOperation } from './attempt-operations.ts';
import type { AuthorizationOperation } from './authorization-operations.ts';
import { digestToText } from './digest-text.ts';

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
  | readonly [type: 'revokeAccessToken', id: string]
  | readonly [type: 'proveWritable', bytes: number]
  | AttemptOperation
  | AuthorizationOperation;

/** Rows changed; of an operation that counts, the count. */
export type WriteResult = number;

export function insertAccessToken(token: AccessToken): WriteOperation {
  const { id, verifierHash, clientRecordId, grantId, scopes, expires, creationDate } = token;
  if (grantId !== undefined) throw new Error('a token under a grant is stored together with what issued it');
  const hash = digestToText(verifierHash);
  return ['insertAccessToken', id, hash, clientRecordId, formatScope(scopes), expires, creationDate];
}
