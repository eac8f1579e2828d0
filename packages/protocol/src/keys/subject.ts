import { createHmac } from 'node:crypto';

/** A user, as an identity provider identifies them. */
export interface IdentifiedUser {
  readonly identityProvider: string;
  /** An identifier that never changes and is never given to another user; `undefined` if there is none. */
  readonly stableId: string | undefined;
  /** Identifies the user if there is no stable id. */
  readonly name: string;
}

/**
 * The subject of a user (`sub`): 43 characters of base64url, within the 255 ASCII characters of OpenID Connect Core §2. Without
 * the key it reveals nothing about the user. It does not change while the key and the identifier do not change.
 *
 * Each part is preceded by its length and the kind of the identifier is a part, so that two users never have the same
 * parts: not by another split of the same text, and not by a name that equals the stable id of another user.
 */
export function subjectOf(key: Uint8Array, { identityProvider, stableId, name }: IdentifiedUser): string {
  const parts =
    stableId === undefined ? [identityProvider, 'name', name] : [identityProvider, 'id', stableId];
  // In one update: with one for each length and part, a subject takes 2.2 instead of 1.5 us (docs/adr/0056).
  return createHmac('sha256', key)
    .update(Buffer.concat(parts.map(withLength)))
    .digest('base64url');
}

function withLength(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const bytes = Buffer.allocUnsafe(4 + length);
  bytes.writeUInt32BE(length);
  bytes.write(text, 4);
  return bytes;
}
