import { OAuthError } from '../../model/errors.ts';
import type { AuthenticationStep, LoginFormStep } from '../../ports/authentication-module.ts';
import { type Submission, submitted } from '../../ports/module-step.ts';

/** A failed login, as the security log reports it, with the name as the user typed it. */
export interface LoginFailure {
  readonly reason: string;
  readonly status: number | undefined;
  readonly name: string | undefined;
}

/** The reason why a step, or an error, is a failed login; `undefined` if it is not a failed login. */
export function loginFailure(
  outcome: AuthenticationStep | OAuthError,
  submission: Submission,
): LoginFailure | undefined {
  if (outcome instanceof OAuthError) {
    return { reason: outcome.text?.key ?? outcome.kind, status: undefined, name: typedName(submission) };
  }
  if (outcome.type === 'refused') {
    return { reason: 'refused', status: undefined, name: typedName(submission) };
  }
  if (outcome.type !== 'form' || (outcome.status ?? 200) < 400) return undefined;
  const { status, message, fields } = outcome;
  // A text of a module can contain anything, so the log gets only the key of a text.
  const reason = typeof message === 'object' ? message.key : 'form';
  return { reason, status, name: typedName(submission, fields) };
}

function typedName(submission: Submission, fields?: LoginFormStep['fields']): string | undefined {
  const field = fields?.find(({ autocomplete }) => autocomplete.split(' ').includes('username'));
  return submitted(submission, field?.name ?? 'username').trim() || undefined;
}
