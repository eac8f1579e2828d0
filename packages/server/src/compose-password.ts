import type { AuthenticationModuleFactory } from '@watchword/protocol';
import type { Store } from '@watchword/store-sql';
import { passwordModule } from './modules/authentication/password.ts';
import { argon2Hasher } from './modules/authentication/password-hasher.ts';
import { passwordsAtATime } from './system.ts';

/**
 * The built-in module `password`. Beside the accounts it has the services that every module has.
 *
 * @param store asked at a login: modules are made before the database is opened, so that a module that cannot be had
 *   leaves the database as it is
 */
export function passwordFactory(store: () => Pick<Store, 'accounts'>): AuthenticationModuleFactory {
  return ({ services: { random, loginAttempts } }) =>
    passwordModule({
      accounts: {
        find: (username) => store().accounts.find(username),
        rehash: (username, from, to) => store().accounts.rehash(username, from, to),
      },
      attempts: loginAttempts,
      hasher: argon2Hasher({ random, concurrency: passwordsAtATime() }),
    });
}
