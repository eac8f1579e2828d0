import { createHmac } from 'node:crypto';

/** A person as an identity provider knows them. */
export interface IdentifiedPerson {
  readonly identityProvider: string;
  /** The identifier there that never changes and is never given to another person; `undefined` when there is none. */
  readonly stableId: string | undefined;
  /** Identifies the person where there is no stable id. */
  readonly name: string;
}

/**
 * The subject of a person (`sub`): 43 characters of base64url, within the 255 ASCII characters of OpenID Connect Core §2. It
 * says nothing about the person without the key, and is the same for as long as the key and the identifier are.
 *
 * Each part is preceded by its length and the kind of the identifier is a part, so that two persons never have the same
 * parts: not by another split of the same text, and not by a name that equals the stable id of another person.
 */
export function subjectOf(key: Uint8Array, { identityProvider, stableId, name }: IdentifiedPerson): string {
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
