import type { AuditEvent } from '../model/audit-event.ts';
import { type Client, creationDateFor } from '../model/client.ts';
import { RedirectableError } from '../model/errors.ts';
import type { Grant } from '../model/grant.ts';
import type { LoginSession } from '../model/login-session.ts';
import { identityOf } from '../model/resource-owner.ts';
import type { Scopes } from '../model/scope.ts';
import { remainingScopesOf } from '../openid/scopes.ts';
import type { Clock } from '../ports/clock.ts';
import type { ConsentAnswer } from '../ports/consent-answer-store.ts';
import type { GivenConsent } from '../ports/consent-store.ts';
import type { Random } from '../ports/random.ts';
import { timeOrderedId } from '../rules/time-ordered-id.ts';
import { type AskedScopesDependencies, type ConsentedRequest, consentedRequest } from './asked-scopes.ts';
import { type ClientInteraction, errorOf } from './interaction.ts';
import type { Outcome } from './outcome.ts';
import type { AuthorizationRequest } from './request/authorization-request.ts';
import { noteSessionClient, type SessionClientDependencies } from './session-clients.ts';
import { loginEvent } from './sessions/login-event.ts';
import { successResponse } from './targets/response-target.ts';

export interface GrantAccessDependencies extends SessionClientDependencies, AskedScopesDependencies {
  readonly clock: Clock;
  readonly random: Random;
  readonly issuer: string;
}

/** The access to grant, before it is stored. */
export interface Access {
  readonly interaction: ClientInteraction;
  readonly session: LoginSession;
  /** Those of the asked scopes to which the resource owner consents. */
  readonly scopes: Scopes;
  /** The answer to the consent page, if one was shown. */
  readonly answer?: ConsentAnswer | undefined;
  /** What is remembered of the consent that the grant represents. */
  readonly consent?: GivenConsent | undefined;
}

/**
 * Stores the grant with the code or token that the response type issues and with the consent, and answers the client. Resolves with
 * `undefined` and grants nothing if the login, or any access of the resource owner, has ended since the session was read, and for each reason
 * of {@link ResponseType.issue}. The request then starts again.
 */
export async function grantAccess(
  { interaction, session, scopes, answer, consent }: Access,
  deps: GrantAccessDependencies,
): Promise<Outcome | undefined> {
  const { request, cookies, browser } = interaction;
  const { client, resourceServer, target, responseType } = request;
  const { scopes: granted, openid } = consentedRequest(request, scopes, deps);
  const remaining = remainingScopesOf(granted, client, resourceServer);
  const grant = newGrant({ client, openid }, session, remaining, deps, answer?.id);
  const event = grantEvent(grant, client, browser.source, deps);
  const redirectUri = request.namesRedirectUri ? target.redirectUri : undefined;
  const issued = { client, grant, session, event, redirectUri, openid, answer, consent };
  await noteSessionClient(request, session, grant, deps);
  const parameters = await responseType.issue(issued, request.extra).catch(reported);
  if (parameters instanceof RedirectableError) return errorOf(interaction, parameters, true);
  if (parameters === undefined) return undefined;
  return { ...successResponse(target, parameters, deps.issuer), cookies };
}

/** The error of an issue that the client gets: nothing is stored. */
function reported(error: unknown): RedirectableError {
  if (error instanceof RedirectableError) return error;
  throw error;
}

/** @param answerId the id of the answer to the consent page: the id of the code, so the grant is of the same shard */
function newGrant(
  { client, openid }: Pick<AuthorizationRequest, 'client'> & Pick<ConsentedRequest, 'openid'>,
  { owner, authentication }: LoginSession,
  scopes: Scopes,
  { clock, random }: GrantAccessDependencies,
  answerId: string | undefined,
): Grant {
  const creationDate = creationDateFor(client, clock.now());
  const id = timeOrderedId(creationDate, random, answerId);
  const claims = openid?.claims;
  return {
    id,
    clientRecordId: client.id,
    owner,
    authentication,
    scopes,
    ...(claims !== undefined && { claims }),
    creationDate,
  };
}

function grantEvent(
  { id, owner, scopes }: Grant,
  { clientId }: Client,
  source: string,
  deps: GrantAccessDependencies,
): AuditEvent {
  const record = { recordType: 'grant', recordId: id, recordName: clientId } as const;
  const done = { action: 'grant', ...record, after: { scopes } } as const;
  return loginEvent(identityOf(owner), { clientId, source }, done, deps);
}
