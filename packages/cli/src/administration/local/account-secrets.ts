import type { Configuration } from '@watchword/server/config/settings';
import { keyHolders, openCustody } from '@watchword/server/core/signing';
import { systemRandom } from '@watchword/server/system';
import type { Store } from '@watchword/store-sql';

/** Opens the key that seals only for a file that has a secret. */
export function secretsOf(store: Pick<Store, 'signingKeys' | 'clock'>, configuration: Configuration) {
  let custody: ReturnType<typeof openCustody> | undefined;
  return {
    async seal(purpose: string, secret: string) {
      custody ??= keyHolders(configuration).then((holders) => openCustody(holders, store, systemRandom));
      return (await custody).sealSecret(purpose, secret);
    },
  };
}
