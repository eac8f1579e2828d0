import { type Submission, submitted } from '../ports/module-step.ts';
import { checkPassword } from '../rules/account.ts';
import { Violations } from '../rules/registration.ts';
import type { PasswordProblem } from './password-pages.ts';

/** The new password of a form, or why it is not accepted. */
export function newPassword(submission: Submission): string | PasswordProblem {
  const password = submitted(submission, 'new_password');
  if (password !== submitted(submission, 'new_password_again')) return problem('password.differ');
  const violations = new Violations();
  checkPassword(password, violations);
  return violations.isEmpty ? password : problem('password.rules');
}

function problem(key: string): PasswordProblem {
  return { message: { key }, status: 400 };
}
