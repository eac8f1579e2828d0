import type { AccessToken, Confirmation } from '../../model/records/access-token.ts';
import { formatScope, type Scopes } from '../../model/scope.ts';
import { answeredScope, isMark, marksOf } from '../../model/targeted-scope.ts';
import type { PublicSubject } from '../../openid/subjects.ts';
import type { UserClaims } from '../../openid/user-claims.ts';
import type { JwtClaims } from '../../ports/crypto/token-signer.ts';
import { audienceOf, jwtAudience } from '../token-audience.ts';
import type { AccessTokenContent } from './access-token-format.ts';

/** What a JWT says of the token. */
interface ReadClaims extends Omit<AccessToken, 'clientRecordId' | 'verifierHash'> {
  readonly clientId: string;
  readonly audience: readonly string[];
}

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface JwtClaimsDependencies {
  /** The issuer identifier of this server (RFC 8414 §2). */
  readonly issuer: string;
  readonly userClaims: Pick<UserClaims, 'forResourceServer'>;
  readonly publicSubject: PublicSubject;
}

/**
 * The claims of RFC 9068 §2.2, roles and groups among them (§2.2.3.1), and `grant_id`: the grant whose revocation ends the token. Where it is
 * not for the resource server of the client alone, `targeted_scope` says of whom each scope is, and which names of `aud` each is: an API can get
 * a scope whose name another has in valid tokens. Times are epoch seconds.
 */
export function jwtClaims(
  id: string,
  content: AccessTokenContent,
  { issuer, userClaims, publicSubject }: JwtClaimsDependencies,
): JwtClaims {
  const { client, grant, scopes, expires, creationDate, confirmation } = content;
  return {
    iss: issuer,
    aud: jwtAudience(content, issuer),
    sub: grant === undefined ? client.clientId : publicSubject(grant.owner),
    client_id: client.clientId,
    jti: id,
    iat: creationDate / 1000,
    exp: expires / 1000,
    ...(scopes.length > 0 && { scope: answeredScope(scopes) }),
    ...(content.targets.some(({ id }) => id !== undefined) && {
      targeted_scope: formatScope(withAudiences(content, issuer)),
    }),
    cnf: confirmation,
    ...(grant && {
      grant_id: grant.id,
      auth_time: Math.floor(grant.authentication.authenticatedAt / 1000),
      acr: grant.authentication.acr,
      ...userClaims.forResourceServer(grant),
    }),
  };
}

/** The scopes, with marks that have the names of `aud`. */
function withAudiences({ scopes, targets }: AccessTokenContent, issuer: string): Scopes {
  const marks = targets.flatMap((target) =>
    marksOf({ id: target.id, resources: audienceOf(target, issuer) }),
  );
  return [...marks, ...scopes.filter((member) => !isMark(member))];
}

/** `undefined` if the claims are not those of an access token of this issuer. */
export function readJwtClaims(claims: JwtClaims, issuer: string): ReadClaims | undefined {
  const { iss, aud, client_id, jti, iat, exp, grant_id, cnf } = claims;
  const { targeted_scope: scope = claims.scope ?? '' } = claims;
  const isRead =
    iss === issuer &&
    typeof client_id === 'string' &&
    isUuid(jti) &&
    typeof iat === 'number' &&
    typeof exp === 'number' &&
    typeof scope === 'string' &&
    (grant_id === undefined || isUuid(grant_id));
  if (!isRead) return undefined;
  return {
    id: jti,
    clientId: client_id,
    grantId: grant_id,
    scopes: scope === '' ? [] : scope.split(' '),
    expires: exp * 1000,
    creationDate: iat * 1000,
    audience: [aud].flat() as string[],
    ...(cnf !== undefined && { confirmation: cnf as Confirmation }),
  };
}

function isUuid(value: unknown): value is string {
  return typeof value === 'string' && uuidPattern.test(value);
}
