import { subjectInEvent } from '../../keys/subject.ts';
import { RedirectableError } from '../../model/errors/errors.ts';
import { because } from '../../model/errors/rules/error-rules.ts';
import type { AuditEvent } from '../../model/records/audit-event.ts';
import { creationDateFor } from '../../model/records/client.ts';
import type { Grant } from '../../model/records/grant.ts';
import type { LoginSession } from '../../model/records/login-session.ts';
import { identityOf } from '../../model/resource-owner.ts';
import type { Scopes } from '../../model/scope.ts';
import { isFor, isTargeted, namesOf, targetsOf } from '../../model/targeted-scope.ts';
import { remainingScopesOf, splitScopes } from '../../openid/scopes.ts';
import { sessionIdFor } from '../../openid/session-id.ts';
import type { Subjects } from '../../openid/subjects.ts';
import type { ConsentAnswerStore } from '../../ports/stores/grants/consent-store.ts';
import type { SessionClientStore } from '../../ports/stores/logins/session-client-store.ts';
import type { Registry } from '../../ports/stores/registry.ts';
import { answeredClass, type LoginStrength } from '../../rules/login-strength.ts';
import { timeOrderedId } from '../../rules/time-ordered-id.ts';
import {
  type AskedScopesDependencies,
  askedScopes,
  type ConsentedRequest,
  consentedRequest,
} from '../asked-scopes.ts';
import type { AuthStates } from '../auth-state.ts';
import type { AuthorizationAnswer } from '../authorization-answer.ts';
import { type ClientInteraction, errorOf, type GivenAccess } from '../interaction.ts';
import type { Outcome } from '../outcome.ts';
import type { AuthorizationRequest } from '../request/authorization-request.ts';
import { askedClasses } from '../required-login.ts';
import { type SealDependencies, sealInteraction } from '../seal-interaction.ts';
import { actingClient, loginEvent } from '../sessions/login-event.ts';
import { type AnsweredOnceDependencies, usedUp } from '../targets/answered-once.ts';
import { successResponse } from '../targets/response-target.ts';
import type { SignedResponseDependencies } from '../targets/signed-response.ts';
import { askedAgain, type Step, type StepResult } from './step.ts';

export interface RespondDependencies
  extends SealDependencies,
    AskedScopesDependencies,
    AnsweredOnceDependencies,
    SignedResponseDependencies {
  readonly registry: Registry;
  readonly consentAnswers: Pick<ConsentAnswerStore, 'isGiven'>;
  readonly sessionClients: Pick<SessionClientStore, 'insert'>;
  readonly subjects: Pick<Subjects, 'subjectFor'>;
  readonly strength: Pick<LoginStrength, 'classes'>;
  /** The key of all subjects, see `SubjectKeyStore`. */
  readonly subjectSecret: Uint8Array;
}

/**
 * Uses up a pushed request. Stores the grant with the code or token that the response type issues and with the consent, and answers the client. If the login, or any
 * access of the resource owner, has ended since the session was read, and for each reason of {@link ResponseType.issue}, nothing is
 * granted, and the request starts again. Without a request the browser goes to the page of the own account.
 */
export function respond(deps: RespondDependencies): Step<LoginSession> {
  return {
    name: 'respond',
    isNeeded: () => true,
    async begin(interaction, session) {
      const { request, ownPage = '/account', cookies, given } = interaction;
      if (request === undefined) return { type: 'redirect', location: `${deps.issuer}${ownPage}`, cookies };
      const target = request.target.pushed ? await usedUp(request.target, deps) : request.target;
      const asked = { ...interaction, request: { ...request, target } };
      const outcome = await grantAccess(asked, session, deps);
      if (outcome !== undefined) return outcome;
      return given?.answer === undefined
        ? { type: 'startAgain', interaction: { ...asked, again: 'changed' } }
        : notGiven(asked, session, given.answer.id, deps);
    },
  };
}

/**
 * What a consent page asked can have changed meanwhile. Another answer to the same page, at the same moment, can be the reason.
 *
 * @param answerId of the page
 */
export async function notGiven(
  interaction: ClientInteraction,
  session: LoginSession,
  answerId: string | undefined,
  { authStates, consentAnswers }: Pick<RespondDependencies, 'authStates' | 'consentAnswers'>,
): Promise<StepResult<LoginSession>> {
  const isAnswered = answerId !== undefined && (await consentAnswers.isGiven(answerId));
  return isAnswered ? answeredPage(interaction, session, authStates) : askedAgain(interaction, 'changed');
}

/** Reports that the consent page was answered before, and offers to start the request again. */
export function answeredPage(
  interaction: ClientInteraction,
  session: LoginSession | undefined,
  authStates: AuthStates,
): AuthorizationAnswer {
  const kept = session === undefined ? {} : { sessionId: session.id, shownTo: session.owner.subject };
  const sealed = sealInteraction('again', interaction, kept, authStates);
  return { type: 'answered', request: interaction.request, ...sealed };
}

async function grantAccess(
  interaction: ClientInteraction,
  session: LoginSession,
  deps: RespondDependencies,
): Promise<Outcome | undefined> {
  const {
    request,
    cookies,
    browser,
    given = { scopes: askedScopes(interaction.request, deps) },
  } = interaction;
  const { client, resourceServer, target, responseType } = request;
  const { scopes, answer, consent }: GivenAccess = given;
  const { scopes: granted, openid } = consentedRequest(request, scopes, deps);
  const remaining = remainingScopesOf(granted, client, resourceServer, deps.registry);
  if (targetsOf(remaining)?.length === 0) {
    const error = new RedirectableError('invalid_target', because('remaining_resource'));
    return errorOf(interaction, error, true);
  }
  const grant = newGrant(request, openid, session, remaining, deps, answer?.id);
  const event = grantEvent(grant, request, browser.source, deps);
  const redirectUri = request.namesRedirectUri ? target.address : undefined;
  const issued = { client, grant, session, event, redirectUri, openid, answer, consent };
  await noteSessionClient(request, session, grant, deps);
  const parameters = await responseType.issue(issued, request.extra).catch(reported);
  if (parameters instanceof RedirectableError) return errorOf(interaction, parameters, true);
  if (parameters === undefined) return undefined;
  const response = successResponse(target, parameters, deps);
  return { ...(response instanceof Promise ? await response : response), cookies };
}

/** The error of an issue that the client gets: nothing is stored. */
function reported(error: unknown): RedirectableError {
  if (error instanceof RedirectableError) return error;
  throw error;
}

/** @param answerId the id of the answer to the consent page: the id of the code, so the grant is of the same shard */
function newGrant(
  request: AuthorizationRequest,
  openid: ConsentedRequest['openid'],
  { owner, authentication }: LoginSession,
  scopes: Scopes,
  { clock, random, strength }: RespondDependencies,
  answerId: string | undefined,
): Grant {
  const { client } = request;
  const asked = askedClasses(request);
  const creationDate = creationDateFor(client, clock.now());
  const id = timeOrderedId(creationDate, random, answerId);
  const claims = openid?.claims;
  return {
    id,
    clientRecordId: client.id,
    owner,
    authentication:
      asked === undefined
        ? authentication
        : { ...authentication, acr: answeredClass(authentication, asked, strength) },
    scopes,
    ...(claims !== undefined && { claims }),
    creationDate,
  };
}

function grantEvent(
  { id, owner, scopes }: Grant,
  { client, targets }: AuthorizationRequest,
  source: string,
  deps: RespondDependencies,
): AuditEvent {
  const record = { recordType: 'grant', recordId: id, recordName: client.clientId } as const;
  const granted = targets.filter((target) => isFor(scopes, target.id));
  const after = {
    scopes: namesOf(scopes),
    ...(isTargeted(scopes) && { resourceServers: granted.map(({ resourceServer: { key } }) => key) }),
    ...subjectInEvent(deps.subjectSecret, owner),
  };
  const done = { action: 'grant', ...record, after } as const;
  return loginEvent(identityOf(owner), { ...actingClient(client), source }, done, deps);
}

/**
 * Stores that the client learns of the end of the session, if it gets an ID token and has an address for that. It must happen
 * before the session is found to be still there: then either the end of the session finds the client, or the client gets nothing.
 */
async function noteSessionClient(
  { client, resourceServer }: Pick<AuthorizationRequest, 'client' | 'resourceServer'>,
  { id: sessionId, owner, expires }: LoginSession,
  { scopes }: Pick<Grant, 'scopes'>,
  { sessionClients, subjects, subjectSecret, clock, random }: RespondDependencies,
): Promise<void> {
  if (client.backchannelLogoutUri === '' && client.frontchannelLogoutUri === '') return;
  if (!splitScopes(scopes, resourceServer).openid.includes('openid')) return;
  await sessionClients.insert({
    id: timeOrderedId(clock.now(), random, sessionId),
    sessionId,
    clientRecordId: client.id,
    sid: sessionIdFor(subjectSecret, client, sessionId),
    subject: subjects.subjectFor(client, owner),
    expires,
  });
}
