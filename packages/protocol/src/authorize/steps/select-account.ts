import { OAuthError } from '../../model/errors/errors.ts';
import { because } from '../../model/errors/rules/error-rules.ts';
import type { LoginSession } from '../../model/records/login-session.ts';
import { submitted } from '../../ports/modules/module-step.ts';
import { ofClient } from '../interaction.ts';
import type { Prompt } from '../request/prompt.ts';
import { changedSession, type RestartReason } from '../restart-reason.ts';
import { type SealDependencies, sealInteraction } from '../seal-interaction.ts';
import type { Step } from './step.ts';

/** Asks a user who was logged in before with which account to continue (`prompt=select_account`, OpenID Connect Core §3.1.2.1). */
export function selectAccount({
  authStates,
}: Pick<SealDependencies, 'authStates'>): Step<LoginSession> & { readonly name: 'select' } {
  return {
    name: 'select',

    isNeeded: ({ request, hasLoggedIn }) =>
      hasLoggedIn !== true && request?.prompt.includes('select_account') === true,

    async begin(interaction, session) {
      const { request } = ofClient(interaction);
      const sealed = sealInteraction(
        'select',
        interaction,
        { sessionId: session.id, shownTo: session.owner.subject },
        authStates,
      );
      return { type: 'selectAccount', request, owner: session.owner, ...sealed };
    },

    /**
     * Goes on with the account of the page, or with a login, which keeps the session until another user has logged in. The account of the
     * page is no answer when another user has logged in since: then the choice is asked again.
     *
     * @throws OAuthError `invalid_request` for a submission without a choice
     */
    async resume(interaction, session, { state, submission }) {
      const { request } = ofClient(interaction);
      const others = request.prompt.filter((prompt) => prompt !== 'select_account');
      const withPrompt = (prompt: readonly Prompt[], again?: RestartReason) =>
        ({
          type: 'startAgain',
          interaction: { ...interaction, request: { ...request, prompt }, again },
        }) as const;
      switch (submitted(submission, 'account')) {
        case 'current':
          return session?.id === state.sessionId
            ? withPrompt(others)
            : withPrompt(request.prompt, changedSession(session, state, interaction.browser));
        case 'other':
          return withPrompt([...new Set<Prompt>([...others, 'login'])], 'otherAccount');
        default:
          throw new OAuthError('invalid_request', because('form_choice'));
      }
    },
  };
}
