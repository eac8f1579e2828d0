import { sealingFlags } from '@watchword/server-testkit/servers/engine';
import { borrowKeyPairs } from '@watchword/server-testkit/servers/key-pairs';
import { loadConfiguration } from '../../../server/src/config/load.ts';
import type { SettingPath } from '../../../server/src/config/settings.ts';
import { composeSigning, keyHolders } from '../../../server/src/core/signing.ts';
import type { MakeKeyPair } from '../../../server/src/signing/key-pairs.ts';
import type { Signing } from '../../../server/src/signing/signing.ts';
import { systemRandom } from '../../../server/src/system.ts';
import type { ServerStore } from '../../../store-sql/src/index.ts';

interface OnDatabase {
  readonly database: string;
  readonly service: { readonly store: ServerStore };
}

/** What one more node on the database of a server signs and verifies with. */
export async function signingNode(
  { database, service: { store } }: OnDatabase,
  flags: Partial<Record<SettingPath, string>> = {},
): Promise<Signing> {
  const { configuration } = await loadConfiguration({
    flags: { ...sealingFlags(database), ...flags, database },
    environment: {},
    file: undefined,
  });
  const makePair: MakeKeyPair = async (algorithm) => {
    const keyPairs = borrowKeyPairs();
    const pair = await keyPairs.make(algorithm);
    keyPairs.keepFor(database);
    return pair;
  };
  return composeSigning(configuration, await keyHolders(configuration, makePair), store, systemRandom);
}

/** All algorithms, for `signing.algorithms`. */
export const everyAlgorithm = 'RS256,ES256,EdDSA,PS256';
