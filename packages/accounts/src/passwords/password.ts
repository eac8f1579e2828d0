import { changePassword } from './change-password.ts';
import type { PasswordDependencies, PasswordEndpoint } from './password-pages.ts';
import { setPassword } from './set-password.ts';

export function passwordEndpoint(deps: PasswordDependencies): PasswordEndpoint {
  return { ...setPassword(deps), ...changePassword(deps) };
}
