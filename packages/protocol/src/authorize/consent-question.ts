import type { LoginSession } from '../model/login-session.ts';
import type { Scopes } from '../model/scope.ts';
import type { ConsentContext, ConsentFormStep } from '../ports/consent-module.ts';
import { timeOrderedId } from '../rules/time-ordered-id.ts';
import { askedScopes } from './asked-scopes.ts';
import type { AuthorizationAnswer } from './authorization-answer.ts';
import type { ClientInteraction } from './interaction.ts';
import { consentedScopes, type RememberedConsentDependencies } from './remembered-consent.ts';
import { type SealDependencies, sealInteraction } from './seal-interaction.ts';

/** The question for consent, in one interaction. */
export interface ConsentQuestion {
  readonly interaction: ClientInteraction;
  readonly session: LoginSession;
  /** All scopes that the resource owner consented to before, requested now or not. */
  readonly consentedBefore: Scopes;
  readonly context: ConsentContext;
  /** The id of the one answer to the page that is answered now, if there was one. */
  readonly answerId?: string | undefined;
}

/** @param state the state of the consent module */
export async function questionOf(
  interaction: ClientInteraction,
  session: LoginSession,
  state: unknown,
  deps: RememberedConsentDependencies,
): Promise<ConsentQuestion> {
  const { request, browser } = interaction;
  const { client, resourceServer } = request;
  const scopes = askedScopes(request, deps);
  const { owner } = session;
  const consentedBefore = await consentedScopes(request, owner, deps);
  const context = {
    client,
    resourceServer,
    resourceOwner: { identityProvider: owner.identityProvider, principal: owner.principal },
    scopes,
    consented: scopes.filter((scope) => consentedBefore.includes(scope)),
    mustAsk: interaction.mustAskConsent || request.prompt.includes('consent'),
    requestId: browser.requestId,
    state,
  };
  return { interaction, session, consentedBefore, context };
}

/** The page of the consent module. The question has one answer, under the id that the page seals. */
export function consentPage(
  { interaction, session, context, answerId }: ConsentQuestion,
  step: ConsentFormStep,
  { authStates, clock, random }: SealDependencies,
): AuthorizationAnswer {
  const kept = {
    sessionId: session.id,
    moduleState: step.state,
    // A page that is shown once more, because a box was missing for example, is the same question.
    answerId: answerId ?? timeOrderedId(clock.now(), random),
  };
  const sealed = sealInteraction('consent', interaction, kept, authStates);
  const { request } = interaction;
  const { scopes, consented } = context;
  return { type: 'consent', step, request, owner: session.owner, scopes, consented, ...sealed };
}
