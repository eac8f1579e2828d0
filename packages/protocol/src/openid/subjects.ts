import { keyedDigest } from '../keys/keyed-digest.ts';
import type { Client } from '../model/client.ts';
import type { ResourceOwner } from '../model/resource-owner.ts';
import { sectorHost } from '../rules/sector.ts';

/** What decides how a client identifies users (OpenID Connect Core §8). */
export type SubjectClient = Pick<Client, 'clientId' | 'redirectUris' | 'subjectType' | 'sectorIdentifierUri'>;

export interface SubjectsOptions {
  /** The key of all subjects, see `SubjectKeyStore`. */
  readonly subjectSecret: Uint8Array;
  /** The attribute that has the subjects of an earlier server; `undefined` if there is none. */
  readonly subjectAttribute?: string | undefined;
}

const label = ['OpenID Connect', 'pairwise'] as const;

// OpenID Connect Core §2: at most 255 ASCII characters.
const acceptedSubject = /^[\x21-\x7e]{1,255}$/;

/** `sub` of a user for resource servers and for clients with public subjects. */
export type PublicSubject = (owner: ResourceOwner) => string;

/**
 * The subject of an earlier server where the user has one, or else the subject of this server.
 *
 * @param attribute the one that has the subjects of an earlier server; `undefined` if there is none
 */
export function publicSubjectFrom(attribute: string | undefined): PublicSubject {
  return ({ subject, principal: { attributes } }) => {
    if (attribute === undefined || !Object.hasOwn(attributes, attribute)) return subject;
    const earlier = attributes[attribute] ?? '';
    return acceptedSubject.test(earlier) ? earlier : subject;
  };
}

/** `sub` of users in tokens and answers. */
export class Subjects {
  readonly #secret: Uint8Array;
  readonly publicSubject: PublicSubject;

  constructor({ subjectSecret, subjectAttribute }: SubjectsOptions) {
    this.#secret = subjectSecret;
    this.publicSubject = publicSubjectFrom(subjectAttribute);
  }

  /** `sub` for a client: with pairwise subjects, a client of another sector has another one (OpenID Connect Core §8.1). */
  subjectFor(client: SubjectClient, owner: ResourceOwner): string {
    const subject = this.publicSubject(owner);
    if (client.subjectType === 'public') return subject;
    return keyedDigest(this.#secret, [...label, sectorOf(client), subject]);
  }
}

/** The host of the sector identifier URI or of the redirect URIs. A client without a host of its own is a sector of its own. */
function sectorOf({
  clientId,
  redirectUris: [redirectUri = ''],
  sectorIdentifierUri,
}: SubjectClient): string {
  return sectorHost(sectorIdentifierUri || redirectUri) || `client:${clientId}`;
}
