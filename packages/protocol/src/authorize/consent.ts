import { OAuthError, RedirectableError } from '../model/errors.ts';
import type { LoginSession } from '../model/login-session.ts';
import type { Scopes } from '../model/scope.ts';
import type { ConsentAnswer, ConsentAnswerStore } from '../ports/consent-answer-store.ts';
import type { ConsentModule, ConsentStep } from '../ports/consent-module.ts';
import type { Submission } from '../ports/module-step.ts';
import { answeredPage } from './answered-page.ts';
import { askedScopes } from './asked-scopes.ts';
import type { AuthState, AuthStates } from './auth-state.ts';
import { type ConsentQuestion, consentPage, questionOf } from './consent-question.ts';
import { type GrantAccessDependencies, grantAccess } from './grant-access.ts';
import { type ClientInteraction, errorOf } from './interaction.ts';
import type { Outcome } from './outcome.ts';
import { givenConsent, isClientCertain, type RememberedConsentDependencies } from './remembered-consent.ts';

export interface ConsentDependencies extends GrantAccessDependencies, RememberedConsentDependencies {
  readonly consent: ConsentModule;
  readonly consentAnswers: ConsentAnswerStore;
  readonly authStates: AuthStates;
}

/**
 * Asks the logged-in resource owner which scopes to grant, if consent must be asked, and answers the client. Resolves
 * with `undefined` like {@link grantAccess}.
 */
export async function beginConsent(
  interaction: ClientInteraction,
  session: LoginSession,
  deps: ConsentDependencies,
): Promise<Outcome | undefined> {
  const { request, mustAskConsent = false } = interaction;
  if (request.client.skipConsent && isClientCertain(request, deps) && !mustAskConsent) {
    return grantAccess({ interaction, session, scopes: askedScopes(request, deps) }, deps);
  }
  const question = await questionOf(interaction, session, undefined, deps);
  const { scopes, consented, mustAsk } = question.context;
  const isCovered = scopes.length > 0 && consented.length === scopes.length;
  if (isCovered && !mustAsk) {
    return grantAccess({ interaction, session, scopes }, deps);
  }
  if (request.prompt.includes('none')) {
    return errorOf(interaction, new RedirectableError('consent_required'), true);
  }
  return takeStep(question, await deps.consent.begin(question.context), deps);
}

/**
 * A form of the consent module returns from the resource owner to whom it was shown. Resolves with `undefined` also if what is remembered
 * has changed since: the page comes again, because its answer would replace what the resource owner did not see.
 */
export async function resumeConsent(
  interaction: ClientInteraction,
  session: LoginSession,
  { moduleState, answerId, remembered }: AuthState,
  submission: Submission,
  deps: ConsentDependencies,
): Promise<Outcome | undefined> {
  const question = { ...(await questionOf(interaction, session, moduleState, deps)), answerId };
  if (question.remembered?.grantId !== remembered) return undefined;
  return takeStep(question, await deps.consent.resume(question.context, submission), deps);
}

async function takeStep(
  question: ConsentQuestion,
  step: ConsentStep,
  deps: ConsentDependencies,
): Promise<Outcome | undefined> {
  const { interaction, session, answerId } = question;
  const answer = answerId === undefined ? undefined : { id: answerId, expires: deps.authStates.lastUse };
  switch (step.type) {
    case 'consented':
      return consented(question, step.scopes, step.remember, answer, deps);
    case 'denied':
      if (answer !== undefined && !(await deps.consentAnswers.note(answer))) {
        return answeredPage(interaction, session, deps.authStates);
      }
      return errorOf(interaction, denied(), true);
    case 'form':
      return consentPage(question, step, deps);
  }
}

function denied(): RedirectableError {
  return new RedirectableError('access_denied', {
    reason: 'The resource owner denied consent.',
    rule: 'given_consent',
  });
}

async function consented(
  { interaction, session, remembered, context }: ConsentQuestion,
  given: Scopes,
  isRemembered: boolean,
  answer: ConsentAnswer | undefined,
  deps: ConsentDependencies,
): Promise<Outcome | undefined> {
  const { request } = interaction;
  if (!given.every((scope) => context.scopes.includes(scope))) {
    const error = new OAuthError('invalid_request', {
      description: 'A scope was granted that the client did not request.',
      rule: 'consented_scopes',
    });
    return { type: 'errorForOwner', error };
  }
  // The login is what the resource owner consents to in any case: without it there is no answer to the client.
  const scopes = request.openid === undefined ? given : [...new Set(['openid', ...given])];
  const consent = isRemembered ? givenConsent(request, session.owner, remembered, scopes, deps) : undefined;
  return grantAccess({ interaction, session, scopes, answer, consent }, deps);
}
