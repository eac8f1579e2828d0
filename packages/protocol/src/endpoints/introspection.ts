import { authenticateIntrospectionCaller } from '../clients/authenticate-introspection-caller.ts';
import { isClient, type RegisteredCaller } from '../clients/authentication-method.ts';
import type { CredentialedRequest } from '../clients/credentialed-request.ts';
import type { AuthenticationDependencies } from '../clients/guard.ts';
import { type Confirmation, type TokenType, tokenTypeOf } from '../model/access-token.ts';
import { formatScope } from '../model/scope.ts';
import { maySeeName, type Subjects } from '../openid/subjects.ts';
import { requiredParameter } from '../rules/parameters.ts';
import {
  type FoundAccessToken,
  findAccessToken,
  type TokenLookupDependencies,
} from '../tokens/find-access-token.ts';
import { failedClient, type RequestErrorReporting, reportRequestError } from './report-request-error.ts';

/** RFC 7662 §2.2. Times are epoch seconds; `exp` is absent when the token does not expire. */
export type Introspection =
  | { readonly active: false }
  | {
      readonly active: true;
      readonly scope: string;
      readonly client_id: string;
      /** Absent for a client that must not learn it. */
      readonly username?: string;
      readonly token_type: TokenType;
      readonly exp?: number;
      readonly iat: number;
      readonly sub: string;
      /** The key of the resource server; of a JWT its `aud`, if it has more. */
      readonly aud: string | readonly string[];
      readonly iss: string;
      /** Of a JWT. */
      readonly jti?: string;
      readonly cnf?: Confirmation;
    };

export interface IntrospectionDependencies
  extends AuthenticationDependencies,
    TokenLookupDependencies,
    RequestErrorReporting {
  /** The issuer identifier of this server (RFC 8414 §2). */
  readonly issuer: string;
  readonly subjects: Subjects;
}

export type IntrospectionEndpoint = (request: CredentialedRequest) => Promise<Introspection>;

const inactive: Introspection = { active: false };

/**
 * Token introspection (RFC 7662): a resource server asks about tokens of its clients, a client about its own tokens. Every
 * other token is `{"active": false}`, and so is an expired one (§2.2).
 *
 * @throws OAuthError `invalid_client`, `invalid_request`
 */
export function introspectionEndpoint(deps: IntrospectionDependencies): IntrospectionEndpoint {
  return async (request) => {
    const { caller, found } = await introspected(request, deps);
    if (found === undefined || found.expired || !maySee(caller, found)) return inactive;
    const { token, client, resourceServer, principal, scopes } = found;
    const isNamed =
      token.grant === undefined || !isClient(caller) || maySeeName(client, scopes, resourceServer);
    return {
      active: true,
      scope: formatScope(scopes),
      client_id: client.clientId,
      ...(isNamed && { username: principal.name }),
      token_type: tokenTypeOf(token),
      ...(token.expires === 0 ? {} : { exp: Math.floor(token.expires / 1000) }),
      iat: Math.floor(token.creationDate / 1000),
      sub: subjectFor(caller, found, deps.subjects),
      aud: token.audience?.length === 2 ? token.audience : resourceServer.key,
      iss: deps.issuer,
      ...(token.format === 'jwt' && { jti: token.id }),
      ...(token.confirmation && { cnf: token.confirmation }),
    };
  };
}

/** A client learns the subject that its ID tokens have (OpenID Connect Core §8), a resource server the public one. */
function subjectFor(
  caller: RegisteredCaller,
  { token: { grant }, client, subject }: FoundAccessToken,
  subjects: Subjects,
): string {
  if (grant === undefined) return subject;
  return isClient(caller) ? subjects.subjectFor(client, grant.owner) : subjects.publicSubject(grant.owner);
}

/** The caller and the token that it asks about. An error of a client is reported. */
async function introspected(
  request: CredentialedRequest,
  deps: IntrospectionDependencies,
): Promise<{ caller: RegisteredCaller; found: FoundAccessToken | undefined }> {
  let caller: RegisteredCaller | undefined;
  try {
    caller = await authenticateIntrospectionCaller(request, deps);
    return { caller, found: await findAccessToken(requiredParameter(request.parameters, 'token'), deps) };
  } catch (error) {
    if (caller === undefined || isClient(caller)) {
      reportRequestError(deps, 'introspection', failedClient(request, caller, deps), error);
    }
    throw error;
  }
}

/** Record ids of clients and of resource servers overlap. */
function maySee(caller: RegisteredCaller, { client, resourceServer }: FoundAccessToken): boolean {
  return caller.id === (isClient(caller) ? client : resourceServer).id;
}
