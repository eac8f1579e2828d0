import { type AuthenticationModuleFactory, OAuthError, type Passwords } from '@watchword/protocol';
import type { Store } from '@watchword/store-sql';
import { QueueFullError } from '../modules/authentication/bounded-queue.ts';
import { passwordModule } from '../modules/authentication/password.ts';
import type { PasswordHasher } from '../modules/authentication/password-hasher.ts';

/**
 * The built-in module `password`. In addition to the services of every module it has the accounts.
 *
 * @param store called at a login. Modules are made before the database is opened, so that a module that cannot be loaded
 *   does not change the database
 */
export function passwordFactory(
  store: () => Pick<Store, 'accounts'>,
  hasher: PasswordHasher,
): AuthenticationModuleFactory {
  return ({ services: { loginAttempts } }) =>
    passwordModule({
      accounts: {
        find: (username) => store().accounts.find(username),
        replaceHash: (username, from, to) => store().accounts.replaceHash(username, from, to),
      },
      attempts: loginAttempts,
      hasher,
    });
}

// Seconds: longer than the hasher needs for a full queue.
const busyFor = 2;

/** The passwords of the pages on which users set them. They wait in the same queue as logins. */
export function composePasswords(hasher: PasswordHasher): Passwords {
  return {
    hash: (password) => hasher.hash(password).catch(rejectBusy),
    matches: (password, hash = hasher.unmatched) => hasher.matches(password, hash).catch(rejectBusy),
  };
}

function rejectBusy(error: unknown): never {
  if (!(error instanceof QueueFullError)) throw error;
  throw new OAuthError('temporarily_unavailable', { cause: error, retryAfter: busyFor });
}
