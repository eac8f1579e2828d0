import type { AuditEvent } from '../model/audit-event.ts';
import type { Client } from '../model/client.ts';
import type { Grant } from '../model/grant.ts';
import { displayName } from '../model/principal.ts';
import { identityOf, type ResourceOwner } from '../model/resource-owner.ts';
import { formatScope, type Scopes } from '../model/scope.ts';
import type { AuthorizationCodeStore } from '../ports/authorization-code-store.ts';
import type { ConsentAnswer } from '../ports/consent-answer-store.ts';
import type { GrantStore } from '../ports/grant-store.ts';
import type { Instruments } from '../ports/instruments.ts';
import { timeOrderedId } from '../rules/time-ordered-id.ts';
import { createBearerValue } from '../tokens/bearer-value.ts';
import { newAccessToken, type TokenMakingDependencies } from '../tokens/issue-access-token.ts';
import type { AuthorizationRequest } from './request.ts';
import { responseUri } from './response.ts';
import { loginEvent } from './sessions/login-event.ts';

export interface RespondDependencies extends TokenMakingDependencies {
  readonly grants: GrantStore;
  readonly authorizationCodes: AuthorizationCodeStore;
  readonly instruments: Instruments;
  /** Seconds that an authorization code lives. */
  readonly codeLifetime: number;
  /** Seconds that an implicit-grant token lives whose client has no expiry. */
  readonly implicitLifetime: number;
  readonly issuer: string;
}

/** What the owner allowed: the first thing that is written of an authorization request. */
export interface Allowed {
  readonly request: AuthorizationRequest;
  readonly client: Client;
  readonly grant: Grant;
  /** Network address of the owner. */
  readonly source: string;
  /** The consent page to which it is the answer, if one was shown. */
  readonly answer?: ConsentAnswer | undefined;
}

/**
 * Makes what the client asked for. Resolves, once that is durable, with the URI that hands it over; with `undefined`,
 * and nothing made, when the consent page was answered before.
 */
export function respond(allowed: Allowed, deps: RespondDependencies): Promise<string | undefined> {
  return allowed.request.responseType === 'code'
    ? respondWithCode(allowed, deps)
    : respondWithToken(allowed, deps);
}

/** RFC 6749 §4.1.2. */
async function respondWithCode(
  { request, client, grant, answer, source }: Allowed,
  deps: RespondDependencies,
): Promise<string | undefined> {
  const { authorizationCodes, random, codeLifetime } = deps;
  const { scopes, creationDate } = grant;
  const { value, id, verifierHash } = createBearerValue('code', creationDate, random, grant.id, answer?.id);
  const isStored = await authorizationCodes.insert(
    {
      id,
      verifierHash,
      grantId: grant.id,
      clientRecordId: client.id,
      redirectUri: request.namesRedirectUri ? request.redirectUri : undefined,
      codeChallenge: request.codeChallenge,
      scopes,
      expires: creationDate + codeLifetime * 1000,
      creationDate,
    },
    grant,
    grantEvent(grant, client, source, deps),
  );
  // Any other id is random, and taken by nobody.
  if (answer !== undefined && !isStored) return undefined;
  return responseUri(request, { code: value }, deps.issuer);
}

/** RFC 6749 §4.2.2. */
async function respondWithToken(
  { request, client, grant, answer, source }: Allowed,
  deps: RespondDependencies,
): Promise<string | undefined> {
  const { scopes, owner } = grant;
  const lifetime = client.expireDuration === 0 ? deps.implicitLifetime : client.expireDuration;
  const { accessToken, accessTokenValue } = newAccessToken(client, scopes, grant.id, deps, lifetime);
  const event = grantEvent(grant, client, source, deps);
  const isStored = await deps.grants.insert(grant, accessToken, answer, event);
  if (answer !== undefined && !isStored) return undefined;
  deps.instruments.tokenIssued('implicit', client);
  const parameters = {
    access_token: accessTokenValue,
    token_type: 'bearer',
    expires_in: String(lifetime),
    scope: formatScope(scopes),
    ...(client.includePrincipal && { principal: displayName(owner.principal) }),
  };
  return responseUri(request, parameters, deps.issuer);
}

function grantEvent(
  { id, owner, scopes }: Grant,
  { clientId }: Client,
  source: string,
  deps: TokenMakingDependencies,
): AuditEvent {
  const record = { recordType: 'grant', recordId: id, recordName: clientId } as const;
  const done = { action: 'grant', ...record, after: { scopes } } as const;
  return loginEvent(identityOf(owner), { clientId, source }, done, deps);
}

/** @param answerId of the consent page that was answered: the id of the code, and so of the same shard */
export function newGrant(
  client: Client,
  owner: ResourceOwner,
  scopes: Scopes,
  { clock, random }: TokenMakingDependencies,
  answerId: string | undefined,
): Grant {
  // One that is not younger than the last revocation of all of the client's would be dead at birth.
  const creationDate = Math.max(clock.now(), client.tokensValidFrom + 1);
  return {
    id: timeOrderedId(creationDate, random, answerId),
    clientRecordId: client.id,
    owner,
    scopes,
    creationDate,
  };
}
