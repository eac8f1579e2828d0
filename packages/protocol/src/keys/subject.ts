import { accountIdentityProvider } from '../model/records/account.ts';
import type { ResourceOwner } from '../model/resource-owner.ts';
import { keyedDigest } from './keyed-digest.ts';

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
 * The kind of the identifier is a part, so that no name equals the stable id of another user.
 */
export function subjectOf(key: Uint8Array, { identityProvider, stableId, name }: IdentifiedUser): string {
  const [kind, identifier] = stableId === undefined ? (['name', name] as const) : (['id', stableId] as const);
  const slot = slotOf(identifier);
  const known = recent[slot];
  const isKnown =
    known?.identifier === identifier &&
    known.kind === kind &&
    known.identityProvider === identityProvider &&
    known.key === key;
  if (isKnown) return known.subject;
  const subject = keyedDigest(key, [identityProvider, kind, identifier]);
  if (identifier.length <= maxLength) recent[slot] = { key, identityProvider, kind, identifier, subject };
  return subject;
}

interface KnownSubject {
  readonly key: Uint8Array;
  readonly identityProvider: string;
  readonly kind: 'name' | 'id';
  readonly identifier: string;
  readonly subject: string;
}

// A login and its events ask for the same subject, of which each digest takes 4 us. Each user has one slot, and another can displace them.
const recent = new Array<KnownSubject | undefined>(1021).fill(undefined);
const maxLength = 256;

function slotOf(identifier: string): number {
  let sum = 0;
  for (let index = Math.max(0, identifier.length - 16); index < identifier.length; index += 1) {
    sum = (sum * 31 + identifier.charCodeAt(index)) | 0;
  }
  return (sum >>> 0) % recent.length;
}

/**
 * What an audit event says of its person beside the name: the subject of a person with a stable id at another identity provider, where
 * somebody else can have the name. A local account, and a person whose name is the identifier, are known by the name.
 */
export function subjectInEvent(
  key: Uint8Array,
  { identityProvider, subject, principal: { name } }: ResourceOwner,
): { readonly subject: string } | undefined {
  if (identityProvider === accountIdentityProvider) return undefined;
  return subjectOf(key, { identityProvider, stableId: undefined, name }) === subject
    ? undefined
    : { subject };
}
