import type { TokenSigner } from '@watchword/protocol';
import type { Store } from '@watchword/store-sql';
import type { Configuration } from '../../config/settings.ts';
import { composeSigning, keyHolders } from '../../core/signing.ts';
import { systemRandom } from '../../system.ts';

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
  // A command hears of no change. It reads the keys again when it has made one.
  let read = async () => {};
  const followChanges = (follower: () => Promise<void>) => {
    read = follower;
  };
  const refreshRegistry = async () => {
    await read();
    return true;
  };
  const signing = await composeSigning(
    configuration,
    await keyHolders(configuration),
    { ...store, followChanges, refreshRegistry },
    systemRandom,
  );
  return signing.signer;
}
