import type { LoginSession } from '../model/login-session.ts';
import type { ConsentAnswerStore } from '../ports/consent-answer-store.ts';
import type { AuthState, AuthStates } from './auth-state.ts';
import type { AuthorizationAnswer } from './authorization-answer.ts';
import type { ClientInteraction } from './interaction.ts';
import { sealInteraction } from './seal-interaction.ts';

/** Whether the consent page of the state was answered before. */
export async function isAnswered(
  { answerId }: AuthState,
  consentAnswers: ConsentAnswerStore,
): Promise<boolean> {
  return answerId !== undefined && consentAnswers.isGiven(answerId);
}

/** Reports that the consent page was answered before, and offers to start the request again. */
export function answeredPage(
  interaction: ClientInteraction,
  session: LoginSession | undefined,
  authStates: AuthStates,
): AuthorizationAnswer {
  const kept = session === undefined ? {} : { sessionId: session.id };
  const sealed = sealInteraction('again', interaction, kept, authStates);
  return { type: 'answered', request: interaction.request, ...sealed };
}
