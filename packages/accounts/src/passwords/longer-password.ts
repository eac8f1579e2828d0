import {
  accountIdentityProvider,
  actingClient,
  type LoginStep,
  type LoginStepForm,
  OAuthError,
} from '@watchword/protocol';
import { hasSecondFactor } from '../factors/second-factor.ts';
import { remembered, replace } from './change-password.ts';
import { newPasswordOf } from './new-password.ts';
import type { PasswordDependencies, PasswordProblem } from './password-pages.ts';
import { leastPasswordCharacters } from './password-rules.ts';

/**
 * Asks whoever has logged in with a password that may be short only beside a second factor, and has none any more, for another password.
 * Its place is after the steps of factors: whoever adds one in this login keeps the password.
 */
export function longerPassword(deps: PasswordDependencies): LoginStep {
  return {
    name: 'longer_password',

    async isNeeded({ authentication, owner }, { hasLoggedIn = false }) {
      if (authentication.mustReplacePassword !== true || !hasLoggedIn) return false;
      if (owner.identityProvider !== accountIdentityProvider) return false;
      return !hasSecondFactor(await deps.credentials.listBySubject(owner.subject));
    },

    begin: async () => form(),

    async resume(login, { browser, request }, { submission }) {
      const { owner } = login;
      const account = await deps.accounts.find(owner.principal.name);
      if (account?.passwordHash === undefined || account.disabled) return { type: 'again' };
      const password = await newPasswordOf(account, submission, deps);
      if (typeof password !== 'string') return form(password);
      const passwordHash = await deps.passwords.hash(password);
      // This login goes on.
      const replacement = { passwordHash, endsGrants: false, keepsSessions: true };
      try {
        await replace(account, replacement, browser, deps);
      } catch (error) {
        if (error instanceof OAuthError && error.kind === 'invalid_auth_state') return { type: 'again' };
        throw error;
      }
      // Somebody else can be at this page with the former password.
      await deps.sessions.endOthers(login, { ...actingClient(request?.client), source: browser.source });
      return { type: 'passed', device: remembered({ ...account, passwordHash }, browser, deps) };
    },
  };
}

const field = { type: 'password', autocomplete: 'new-password' } as const;

function form(problem?: PasswordProblem): LoginStepForm {
  const count = String(leastPasswordCharacters());
  return {
    type: 'form',
    title: { key: 'password.title' },
    text: { key: 'password.longer', values: { count } },
    fields: [
      { ...field, name: 'new_password', label: 'password.new' },
      { ...field, name: 'new_password_again', label: 'password.again' },
    ],
    choices: [{ value: 'save', text: { key: 'password.submit' } }],
    ...problem,
  };
}
