import { OAuthError } from '../model/errors.ts';
import type { AuthenticationStep, LoginFormStep } from '../ports/authentication-module.ts';
import { type Submission, submitted } from '../ports/module-step.ts';

/** What is told of a login that did not succeed; the name as it was typed. */
export interface LoginFailure {
  readonly reason: string;
  readonly status: number | undefined;
  readonly name: string | undefined;
}

/** Why the step, or what was thrown instead of one, is a failed login; `undefined` when it is none. */
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
  // Of a text nobody knows what is in it.
  const reason = typeof message === 'object' ? message.key : 'form';
  return { reason, status, name: typedName(submission, fields) };
}

function typedName(submission: Submission, fields?: LoginFormStep['fields']): string | undefined {
  const field = fields?.find(({ autocomplete }) => autocomplete.split(' ').includes('username'));
  return submitted(submission, field?.name ?? 'username') || undefined;
}
