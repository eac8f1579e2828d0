import type { TokenSigner } from '@watchword/protocol';
import type { Configuration } from '@watchword/server/config/settings';
import { composeSigning, keyHolders, type SigningStore } from '@watchword/server/core/signing';
import { systemRandom } from '@watchword/server/system';
import type { Store } from '@watchword/store-sql';

/** The signer of the server. Its keys are read only for a JWT: a command without one does not need the key that seals them. */
export function localSigner(store: Store, configuration: Configuration): TokenSigner {
  let opened: Promise<TokenSigner> | undefined;
  const signer = () => {
    opened ??= open(store, configuration);
    return opened;
  };
  return {
    algorithms: configuration['signing.algorithms'],
    sign: async (claims, options) => (await signer()).sign(claims, options),
    verify: async (text, options) => (await signer()).verify(text, options),
  };
}

async function open(store: Store, configuration: Configuration): Promise<TokenSigner> {
  // A command hears of no change. It reads the keys again after its own ones.
  let read = async () => {};
  const alone: SigningStore = {
    ...store,
    transact: async (work) => {
      const value = await store.transact(work);
      await read();
      return value;
    },
    followChanges(follower) {
      read = follower;
    },
    async refreshRegistry() {
      await read();
      return true;
    },
  };
  const holders = await keyHolders(configuration);
  return (await composeSigning(configuration, holders, alone, systemRandom)).signer;
}
