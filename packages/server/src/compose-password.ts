import type { AuthenticationModuleFactory } from '@watchword/protocol';
import type { Store } from '@watchword/store-sql';
import { passwordModule } from './modules/authentication/password.ts';
import { argon2Hasher } from './modules/authentication/password-hasher.ts';
import { addressGroup } from './runtime/address-group.ts';
import { passwordsAtATime, systemClock, systemRandom } from './system.ts';

/**
 * The built-in module `password`.
 *
 * @param store asked when somebody logs in: modules are made before the database is opened, so that a module that
 *   cannot be had leaves it as it is
 */
export function passwordFactory(
  store: () => Pick<Store, 'accounts' | 'loginAttempts'>,
): AuthenticationModuleFactory {
  return () =>
    passwordModule({
      accounts: {
        find: (username) => store().accounts.find(username),
        rehash: (username, from, to) => store().accounts.rehash(username, from, to),
      },
      attempts: { change: (keys, decide) => store().loginAttempts.change(keys, decide) },
      clock: systemClock,
      hasher: argon2Hasher({ random: systemRandom, concurrency: passwordsAtATime() }),
      addressGroup,
    });
}
