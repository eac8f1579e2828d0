import { OAuthError, RedirectableError } from '../../model/errors/errors.ts';
import { because } from '../../model/errors/rules/error-rules.ts';
import type { LoginSession } from '../../model/records/login-session.ts';
import type { Scopes } from '../../model/scope.ts';
import { isMark } from '../../model/targeted-scope.ts';
import type {
  ConsentContext,
  ConsentFormStep,
  ConsentModule,
  ConsentStep,
} from '../../ports/modules/consent-module.ts';
import type {
  ConsentAnswer,
  ConsentAnswerStore,
  StoredConsent,
} from '../../ports/stores/grants/consent-store.ts';
import type { DocumentClients } from '../../ports/system/document-clients.ts';
import { isClientOfPages } from '../../rules/built-in-records.ts';
import { isDocumentClient } from '../../rules/document-client.ts';
import { timeOrderedId } from '../../rules/time-ordered-id.ts';
import { answeredScopes, askedScopes } from '../asked-scopes.ts';
import type { AuthorizationAnswer } from '../authorization-answer.ts';
import { type ClientInteraction, errorOf, ofClient } from '../interaction.ts';
import {
  givenConsent,
  isClientCertain,
  isConsented,
  type RememberedConsentDependencies,
  rememberedConsent,
} from '../remembered-consent.ts';
import { changedSession } from '../restart-reason.ts';
import { type SealDependencies, sealInteraction } from '../seal-interaction.ts';
import { answeredPage, notGiven } from './respond.ts';
import { askedAgain, type Step, type StepResult } from './step.ts';

export interface ConsentDependencies extends SealDependencies, RememberedConsentDependencies {
  readonly consent: ConsentModule;
  readonly consentAnswers: ConsentAnswerStore;
  /** Absent where every client is registered. */
  readonly documentClients?: Pick<DocumentClients, 'keep'> | undefined;
}

type Result = StepResult<LoginSession>;

/** Asks the resource owner which scopes to grant, if consent must be asked. */
export function consentStep(deps: ConsentDependencies): Step<LoginSession> & { readonly name: 'consent' } {
  return {
    name: 'consent',

    isNeeded: ({ request, mustAskConsent = false }) =>
      request !== undefined &&
      (mustAskConsent || !request.client.skipConsent || !isClientCertain(request, deps)),

    async begin(interaction, session) {
      const question = await questionOf(ofClient(interaction), session, undefined, deps);
      const { mustAsk } = question.context;
      if ((isCovered(question) || isOwnAdministration(question, deps)) && !mustAsk) {
        return { type: 'done', interaction, session };
      }
      if (interaction.request?.prompt.includes('none')) {
        return errorOf(interaction, new RedirectableError('consent_required'), true);
      }
      return taken(question, await deps.consent.begin(question.context), deps);
    },

    async resume(interaction, session, { state, submission }) {
      const { moduleState, answerId, remembered } = state;
      const asked = ofClient(interaction);
      const isSame = session !== undefined && session.id === state.sessionId;
      // At once, because each is a way to the database.
      const [isAnsweredBefore, shown] = await Promise.all([
        isAnswered(answerId, deps),
        isSame ? questionOf(asked, session, moduleState, deps) : undefined,
      ]);
      if (isAnsweredBefore) return answeredPage(asked, session, deps.authStates);
      if (session === undefined || shown === undefined)
        return askedAgain(interaction, changedSession(session, state, interaction.browser));
      const question = { ...shown, answerId };
      // Its answer would replace what the resource owner did not see.
      if (question.remembered?.grantId !== remembered) return notGiven(asked, session, answerId, deps);
      return taken(question, await deps.consent.resume(question.context, submission), deps);
    },
  };
}

/** Whether a consent page was answered before. @param answerId of the page */
export async function isAnswered(
  answerId: string | undefined,
  { consentAnswers }: Pick<ConsentDependencies, 'consentAnswers'>,
): Promise<boolean> {
  return answerId !== undefined && consentAnswers.isGiven(answerId);
}

/**
 * An administrator of this server is asked no consent for its own pages, which show nothing but what this person administers. An earlier
 * answer stays: it can have left out `write`.
 */
function isOwnAdministration(
  { interaction: { request }, session: { owner }, remembered }: ConsentQuestion,
  deps: ConsentDependencies,
): boolean {
  return (
    owner.principal.adminPrincipal &&
    remembered === undefined &&
    isClientOfPages(request.client, request.resourceServer) &&
    isClientCertain(request, deps)
  );
}

async function taken(
  question: ConsentQuestion,
  step: ConsentStep,
  deps: ConsentDependencies,
): Promise<Result> {
  const { interaction, session, answerId } = question;
  const answer = answerId === undefined ? undefined : { id: answerId, expires: deps.authStates.lastUse };
  switch (step.type) {
    case 'consented':
      return consented(await withStoredClient(question, deps), step.scopes, step.remember, answer, deps);
    case 'denied':
      if (answer !== undefined && !(await deps.consentAnswers.note(answer))) {
        return answeredPage(interaction, session, deps.authStates);
      }
      return errorOf(interaction, new RedirectableError('access_denied', because('given_consent')), true);
    case 'form':
      return consentPage(question, step, deps);
  }
}

/** Nothing can be given to a client without a record, and one that a document describes gets it now. */
async function withStoredClient(
  question: ConsentQuestion,
  { documentClients }: Pick<ConsentDependencies, 'documentClients'>,
): Promise<ConsentQuestion> {
  const { interaction, session } = question;
  const { request, browser } = interaction;
  if (documentClients === undefined || !isDocumentClient(request.client, request.resourceServer))
    return question;
  const stored = await documentClients.keep(request.client, { owner: session.owner, source: browser.source });
  const targets = request.targets.map((target) =>
    target.id === undefined ? { ...target, resourceServer: stored.resourceServer } : target,
  );
  return { ...question, interaction: { ...interaction, request: { ...request, ...stored, targets } } };
}

function isCovered({ asked, remembered }: ConsentQuestion): boolean {
  return asked.length > 0 && asked.every((scope) => isConsented(scope, remembered));
}

function consented(
  { interaction, session, remembered, context }: ConsentQuestion,
  given: Scopes,
  isRemembered: boolean,
  answer: ConsentAnswer | undefined,
  deps: ConsentDependencies,
): Result {
  const { request } = interaction;
  if (!given.every((scope) => context.scopes.includes(scope))) {
    return { type: 'errorForOwner', error: new OAuthError('invalid_request', because('consented_scopes')) };
  }
  // The login is what the resource owner consents to in any case: without it there is no answer to the client.
  const answered = request.openid === undefined ? given : [...new Set(['openid', ...given])];
  const scopes = answeredScopes(request, answered);
  const consent = isRemembered ? givenConsent(request, session.owner, remembered, scopes, deps) : undefined;
  return { type: 'done', interaction: { ...interaction, given: { scopes, answer, consent } }, session };
}

/** The question for consent, in one interaction. */
interface ConsentQuestion {
  readonly interaction: ClientInteraction;
  readonly session: LoginSession;
  /** What the resource owner consented to before, requested now or not. */
  readonly remembered: StoredConsent | undefined;
  /** All that the resource owner must consent to. */
  readonly asked: Scopes;
  readonly context: ConsentContext;
  /** The id of the one answer to the page that is answered now, if there was one. */
  readonly answerId?: string | undefined;
}

/** @param state the state of the consent module */
async function questionOf(
  interaction: ClientInteraction,
  session: LoginSession,
  state: unknown,
  deps: RememberedConsentDependencies,
): Promise<ConsentQuestion> {
  const { request, browser } = interaction;
  const { client, resourceServer, targets } = request;
  const asked = askedScopes(request, deps);
  const scopes = asked.filter((scope) => !isMark(scope));
  const { owner } = session;
  const remembered = await rememberedConsent(request, owner, deps);
  const context = {
    client,
    resourceServer,
    targets,
    resourceOwner: { identityProvider: owner.identityProvider, principal: owner.principal },
    scopes,
    consented: scopes.filter((scope) => isConsented(scope, remembered)),
    mustAsk: interaction.mustAskConsent || request.prompt.includes('consent'),
    requestId: browser.requestId,
    state,
  };
  return { interaction, session, remembered, asked, context };
}

/** The page of the consent module. The question has one answer, under the id that the page seals. */
function consentPage(
  { interaction, session, remembered, context, answerId }: ConsentQuestion,
  step: ConsentFormStep,
  { authStates, clock, random }: SealDependencies,
): AuthorizationAnswer {
  const kept = {
    sessionId: session.id,
    shownTo: session.owner.subject,
    ...(remembered !== undefined && { remembered: remembered.grantId }),
    moduleState: step.state,
    // A page that is shown once more, because a box was missing for example, is the same question.
    answerId: answerId ?? timeOrderedId(clock.now(), random),
  };
  const sealed = sealInteraction('consent', interaction, kept, authStates);
  const { request } = interaction;
  const { scopes, consented } = context;
  return { type: 'consent', step, request, owner: session.owner, scopes, consented, ...sealed };
}
