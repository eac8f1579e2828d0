import type { AuthenticationModuleFactory } from '@watchword/protocol';
import type { Store } from '@watchword/store-sql';
import { passwordModule } from './modules/authentication/password.ts';
import { argon2Hasher } from './modules/authentication/password-hasher.ts';
import { passwordsAtATime } from './system.ts';

/**
 * The built-in module `password`. In addition to the services of every module it has the accounts.
 *
 * @param store called at a login. Modules are made before the database is opened, so that a module that cannot be loaded
 *   does not change the database
 */
export function passwordFactory(store: () => Pick<Store, 'accounts'>): AuthenticationModuleFactory {
  return ({ services: { random, loginAttempts } }) =>
    passwordModule({
      accounts: {
        find: (username) => store().accounts.find(username),
        replaceHash: (username, from, to) => store().accounts.replaceHash(username, from, to),
      },
      attempts: loginAttempts,
      hasher: argon2Hasher({ random, concurrency: passwordsAtATime() }),
    });
}
