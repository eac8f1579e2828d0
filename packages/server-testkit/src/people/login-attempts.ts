import type { LoginAttempts } from '@watchword/protocol';
import { seededRandom } from '@watchword/testkit';
import {
  type LoginAttemptDependencies,
  loginAttempts,
} from '../../../server/src/modules/services/login-attempts.ts';
import { addressGroup, addressSite } from '../../../server/src/runtime/limits/address-group.ts';

/** The limits of guessing without a server, for the accounts of each authenticator. */
export function testLoginAttempts(
  given: Pick<LoginAttemptDependencies, 'store' | 'clock' | 'limits'>,
): (authenticator: string) => LoginAttempts {
  return loginAttempts({
    random: seededRandom('devices'),
    digestKey: () => Buffer.alloc(32, 1),
    networkOf: addressGroup,
    siteOf: addressSite,
    ...given,
  });
}
