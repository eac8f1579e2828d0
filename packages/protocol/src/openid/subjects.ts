import { keyedDigest } from '../keys/keyed-digest.ts';
import type { Client } from '../model/records/client.ts';
import type { ResourceOwner } from '../model/resource-owner.ts';
import type { Scopes } from '../model/scope.ts';
import { sectorHost } from '../rules/sector.ts';
import { splitScopes } from './scopes.ts';

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

/**
 * Whether a client can learn the name of its user. Clients can join their users by name as by a public subject, so a client with
 * pairwise subjects needs the scope that has the name (OpenID Connect Core §8.1, §17.3).
 *
 * @param granted the granted scopes that the client still has
 * @param resourceServer that of the client, which can have a scope of that name
 */
export function maySeeName(
  { subjectType }: Pick<Client, 'subjectType'>,
  granted: Scopes,
  resourceServer: { readonly scopes: Scopes } = { scopes: [] },
): boolean {
  return subjectType === 'public' || splitScopes(granted, resourceServer).openid.includes('profile');
}

/** The host of the sector identifier URI or of the redirect URIs. A client without a host of its own is a sector of its own. */
function sectorOf({
  clientId,
  redirectUris: [redirectUri = ''],
  sectorIdentifierUri,
}: SubjectClient): string {
  return sectorHost(sectorIdentifierUri || redirectUri) || `client:${clientId}`;
}
