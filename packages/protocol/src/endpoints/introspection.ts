import { authenticateIntrospectionCaller } from '../clients/authentication/authenticate-introspection-caller.ts';
import { isClient, type RegisteredCaller } from '../clients/authentication/authentication-method.ts';
import type { CredentialedRequest } from '../clients/authentication/credentialed-request.ts';
import type { AuthenticationDependencies } from '../clients/authentication/guard.ts';
import { unusableReason } from '../grants/refresh-token.ts';
import { type Confirmation, type TokenType, tokenTypeOf } from '../model/records/access-token.ts';
import type { Client } from '../model/records/client.ts';
import type { ResourceServer } from '../model/records/resource-server.ts';
import type { Scopes } from '../model/scope.ts';
import { answeredScope } from '../model/targeted-scope.ts';
import { remainingScopesOf } from '../openid/scopes.ts';
import { maySeeName, type Subjects } from '../openid/subjects.ts';
import type { RefreshTokenStore } from '../ports/stores/grants/refresh-token-store.ts';
import type { BridgedLookup } from '../ports/system/token-bridge.ts';
import { requiredParameter } from '../rules/parameters.ts';
import { targetServers } from '../rules/target-servers.ts';
import { parseBearerValue } from '../tokens/bearer-value.ts';
import {
  type FoundAccessToken,
  findAccessToken,
  scopesFor,
  type TokenLookupDependencies,
} from '../tokens/find-access-token.ts';
import { findRefreshToken } from '../tokens/find-refresh-token.ts';
import { namedAudience } from '../tokens/token-audience.ts';
import { type DescribedCallerDependencies, describedSigner } from './described-caller.ts';
import { failedClient, type RequestErrorReporting, reportRequestError } from './report-request-error.ts';
import { loginDetails } from './token-info.ts';

/** RFC 7662 §2.2. Times are epoch seconds; `exp` is absent when the token does not expire. */
export type Introspection =
  | { readonly active: false }
  | {
      readonly active: true;
      readonly scope: string;
      readonly client_id: string;
      /** Absent for a client that must not learn it. */
      readonly username?: string;
      /** Absent for a refresh token, which is presented to this server alone. */
      readonly token_type?: TokenType;
      readonly exp?: number;
      /** Absent for a token of another server, as the next and the issuer are. */
      readonly iat?: number;
      readonly sub?: string;
      /** How the token names the resource server, see `audienceOf`. A JWT can name the issuer too. Absent for a refresh token. */
      readonly aud?: string | readonly string[];
      readonly iss?: string;
      /** Of a JWT. */
      readonly jti?: string;
      readonly cnf?: Confirmation;
      /** Epoch seconds. This member and the next: RFC 9470 §6.2, for a resource server that asks for them (`loginDetails`). */
      readonly auth_time?: number;
      readonly acr?: string;
    };

export interface IntrospectionDependencies
  extends AuthenticationDependencies,
    TokenLookupDependencies,
    RequestErrorReporting,
    BridgedLookup,
    DescribedCallerDependencies {
  readonly refreshTokens: RefreshTokenStore;
  /** The issuer identifier of this server (RFC 8414 §2). */
  readonly issuer: string;
  readonly subjects: Subjects;
}

export type IntrospectionEndpoint = (request: CredentialedRequest) => Promise<Introspection>;

const inactive: Introspection = { active: false };

/**
 * Token introspection (RFC 7662): a resource server asks about access tokens that are for it, a client about its own tokens,
 * refresh tokens included. Every other token is `{"active": false}`, and so is an expired or rotated one (§2.2). The text
 * shows which kind of token it is, so that `token_type_hint` is not needed.
 *
 * @throws OAuthError `invalid_client`, `invalid_request`
 */
export function introspectionEndpoint(deps: IntrospectionDependencies): IntrospectionEndpoint {
  return async (request) => {
    let caller: RegisteredCaller | undefined;
    try {
      caller = await authenticateIntrospectionCaller(request, deps, await describedSigner(request, deps));
      const value = requiredParameter(request.parameters, 'token');
      const refreshToken =
        isClient(caller) && parseBearerValue('refresh', value) !== undefined
          ? await aboutRefreshToken(value, caller, deps)
          : inactive;
      // The text of an imported token does not show its kind.
      return refreshToken.active ? refreshToken : await aboutAccessToken(value, caller, deps);
    } catch (error) {
      if (caller === undefined || isClient(caller)) {
        reportRequestError(deps, 'introspection', failedClient(request, caller, deps), error);
      }
      throw error;
    }
  };
}

async function aboutAccessToken(
  value: string,
  caller: RegisteredCaller,
  deps: IntrospectionDependencies,
): Promise<Introspection> {
  const found = await findAccessToken(value, deps);
  if (found === undefined) return isClient(caller) ? inactive : aboutBridged(value, caller, deps);
  const visible = visibleScopes(caller, found);
  if (visible === undefined || found.expired) return inactive;
  const { token, client, resourceServer, principal, scopes } = found;
  const isNamed =
    token.grant === undefined || !isClient(caller) || maySeeName(client, scopes, resourceServer);
  return {
    active: true,
    scope: answeredScope(visible),
    client_id: client.clientId,
    ...(isNamed && { username: principal.name }),
    token_type: tokenTypeOf(token),
    ...(token.expires === 0 ? {} : { exp: inSeconds(token.expires) }),
    iat: inSeconds(token.creationDate),
    sub: subjectFor(caller, found, deps.subjects),
    aud: visibleAudience(caller, found, deps),
    iss: deps.issuer,
    ...(token.format === 'jwt' && { jti: token.id }),
    ...(token.confirmation && { cnf: token.confirmation }),
    ...(!isClient(caller) && caller.loginDetails && loginDetails(found)),
  };
}

async function aboutBridged(
  value: string,
  caller: ResourceServer,
  { tokenBridge }: BridgedLookup,
): Promise<Introspection> {
  const found = await tokenBridge?.find(value, caller);
  if (found === undefined) return inactive;
  return {
    active: true,
    scope: answeredScope(found.scopes),
    client_id: found.client.clientId,
    username: found.principal.name,
    token_type: 'bearer',
    ...(found.expires === 0 ? {} : { exp: inSeconds(found.expires) }),
    aud: caller.key,
  };
}

/** Changes nothing of the token. A rotated token is inactive, also while its answer can be had again. */
async function aboutRefreshToken(
  value: string,
  client: Client,
  deps: IntrospectionDependencies,
): Promise<Introspection> {
  const found = await findRefreshToken(value, deps.refreshTokens);
  if (found === undefined || found.rotation !== undefined || !client.useRefreshTokens) return inactive;
  if (unusableReason(value, found, client, deps) !== undefined) return inactive;
  const { token, grant } = found;
  const resourceServer = deps.registry.resourceServerById(client.resourceServerId);
  const scopes = remainingScopesOf(token.scopes, client, resourceServer, deps.registry);
  return {
    active: true,
    scope: answeredScope(scopes),
    client_id: client.clientId,
    ...(maySeeName(client, scopes, resourceServer) && { username: grant.owner.principal.name }),
    exp: inSeconds(token.expires),
    iat: inSeconds(token.creationDate),
    sub: deps.subjects.subjectFor(client, grant.owner),
    iss: deps.issuer,
    ...(token.confirmation && { cnf: token.confirmation }),
  };
}

const inSeconds = (milliseconds: number) => Math.floor(milliseconds / 1000);

/** A client learns the subject that its ID tokens have (OpenID Connect Core §8), a resource server the public one. */
function subjectFor(
  caller: RegisteredCaller,
  { token: { grant }, client, subject }: FoundAccessToken,
  subjects: Subjects,
): string {
  if (grant === undefined) return subject;
  return isClient(caller) ? subjects.subjectFor(client, grant.owner) : subjects.publicSubject(grant.owner);
}

/** All scopes for the client, its own for a resource server; `undefined` for any other caller. */
function visibleScopes(caller: RegisteredCaller, found: FoundAccessToken): Scopes | undefined {
  if (!isClient(caller)) return scopesFor(found, caller);
  return caller.id === found.client.id ? found.scopes : undefined;
}

/** `aud`: a resource server sees how the token names it, and not for whom else it is. */
function visibleAudience(
  caller: RegisteredCaller,
  { token, resourceServer: home, scopes }: FoundAccessToken,
  { registry, issuer }: IntrospectionDependencies,
): string | readonly string[] {
  const targets = targetServers(scopes, home, registry).filter(
    ({ resourceServer }) => isClient(caller) || resourceServer.id === caller.id,
  );
  const names = namedAudience(token, targets, issuer);
  const [first = issuer, ...others] = names;
  return others.length === 0 ? first : names;
}
