import type { LoginSession } from '../model/login-session.ts';
import type { ConsentContext, ConsentFormStep } from '../ports/consent-module.ts';
import type { StoredConsent } from '../ports/consent-store.ts';
import { timeOrderedId } from '../rules/time-ordered-id.ts';
import { askedScopes } from './asked-scopes.ts';
import type { AuthorizationAnswer } from './authorization-answer.ts';
import type { ClientInteraction } from './interaction.ts';
import { type RememberedConsentDependencies, rememberedConsent } from './remembered-consent.ts';
import { type SealDependencies, sealInteraction } from './seal-interaction.ts';

/** The question for consent, in one interaction. */
export interface ConsentQuestion {
  readonly interaction: ClientInteraction;
  readonly session: LoginSession;
  /** What the resource owner consented to before, requested now or not. */
  readonly remembered: StoredConsent | undefined;
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
  const remembered = await rememberedConsent(request, owner, deps);
  const context = {
    client,
    resourceServer,
    resourceOwner: { identityProvider: owner.identityProvider, principal: owner.principal },
    scopes,
    consented: scopes.filter((scope) => remembered?.scopes.includes(scope) === true),
    mustAsk: interaction.mustAskConsent || request.prompt.includes('consent'),
    requestId: browser.requestId,
    state,
  };
  return { interaction, session, remembered, context };
}

/** The page of the consent module. The question has one answer, under the id that the page seals. */
export function consentPage(
  { interaction, session, remembered, context, answerId }: ConsentQuestion,
  step: ConsentFormStep,
  { authStates, clock, random }: SealDependencies,
): AuthorizationAnswer {
  const kept = {
    sessionId: session.id,
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
