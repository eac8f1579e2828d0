import type { Client } from '../../model/records/client.ts';
import type { ResourceServer } from '../../model/records/resource-server.ts';
import { longestJwtLifetime } from '../../model/records/signing-key.ts';
import type { Violations } from '../../rules/registration.ts';

type JwtFields = Pick<Client, 'expireDuration' | 'subjectType'>;

export function lacksJwtLifetime({ expireDuration }: JwtFields): boolean {
  return expireDuration < 1 || expireDuration > longestJwtLifetime;
}

/** A client can read its tokens: a JWT would show it the subject that all other clients know (OpenID Connect Core §8, RFC 9068 §6). */
export function hasOwnSubjects({ subjectType }: JwtFields): boolean {
  return subjectType === 'pairwise';
}

/** Finds what keeps the client from the access tokens of its resource server, if these are JWTs. */
export function checkJwtClient(
  registration: JwtFields,
  { accessTokenFormat }: Pick<ResourceServer, 'accessTokenFormat'>,
  violations: Violations,
): void {
  if (accessTokenFormat !== 'jwt') return;
  if (lacksJwtLifetime(registration)) {
    violations.add(
      'expireDuration',
      `must be 1 to ${longestJwtLifetime}: the access tokens of the resource server are JWTs`,
    );
  }
  if (hasOwnSubjects(registration)) {
    violations.add(
      'subjectType',
      'must be public: the access tokens of the resource server are JWTs, in which the client could read the public sub of the user',
    );
  }
}
