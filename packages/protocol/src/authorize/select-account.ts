import { OAuthError } from '../model/errors.ts';
import type { LoginSession } from '../model/login-session.ts';
import { type Submission, submitted } from '../ports/module-step.ts';
import type { AuthState, AuthStates } from './auth-state.ts';
import type { AuthorizationAnswer } from './authorization-answer.ts';
import type { Browser } from './browser.ts';
import type { ClientInteraction } from './interaction.ts';
import type { Prompt } from './request/prompt.ts';
import { sealInteraction } from './seal-interaction.ts';

/** Asks a logged-in user with which account to continue (`prompt=select_account`, OpenID Connect Core §3.1.2.1). */
export function selectAccountPage(
  interaction: ClientInteraction,
  session: LoginSession,
  authStates: AuthStates,
): AuthorizationAnswer {
  const sealed = sealInteraction('select', interaction, { sessionId: session.id }, authStates);
  return { type: 'selectAccount', request: interaction.request, owner: session.owner, ...sealed };
}

/**
 * The interaction after the choice: with the account of the page, or with a login, which keeps the session until another user
 * has logged in. The account of the page is no answer when another user has logged in since: then the choice is asked again.
 *
 * @param session the login session now
 * @throws OAuthError `invalid_request` for a submission without a choice
 */
export function afterChoice(
  { request, sessionId }: AuthState,
  submission: Submission,
  browser: Browser,
  session: LoginSession | undefined,
): ClientInteraction {
  if (request === undefined) throw new OAuthError('invalid_auth_state');
  const interaction = { request, browser, cookies: {} };
  const others = request.prompt.filter((prompt) => prompt !== 'select_account');
  switch (submitted(submission, 'account')) {
    case 'current':
      return session?.id === sessionId
        ? { ...interaction, request: { ...request, prompt: others } }
        : interaction;
    case 'other':
      return {
        ...interaction,
        request: { ...request, prompt: [...new Set<Prompt>([...others, 'login'])] },
      };
    default:
      throw new OAuthError('invalid_request', {
        description: 'The form does not name an account.',
        rule: 'form_choice',
      });
  }
}
