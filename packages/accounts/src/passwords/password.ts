import type { FirstPasskeyDependencies } from '../passkeys/first-passkey.ts';
import { changePassword } from './change-password.ts';
import type { PasswordEndpoint } from './password-pages.ts';
import { setPassword } from './set-password.ts';

export function passwordEndpoint(deps: FirstPasskeyDependencies): PasswordEndpoint {
  return { ...setPassword(deps), ...changePassword(deps) };
}
