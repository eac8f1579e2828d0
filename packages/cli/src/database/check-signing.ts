import { canSign } from '@watchword/protocol';
import { ConfigurationError } from '@watchword/server/configuration-error';
import { keyHolders, openCustody } from '@watchword/server/core/signing';
import { systemClock, systemRandom } from '@watchword/server/system';
import { DatabaseOpenError, openStore } from '@watchword/store-sql';
import type { NamedDatabase } from '../command/options.ts';

/** What is wrong with the private halves of signing keys, with advice. */
export interface SigningCheck {
  /** Why a server with the settings of this command does not start. */
  readonly findings: readonly string[];
  /** What can be wrong with the settings of this command only. */
  readonly warnings: readonly string[];
}

/** Checks that the keys that sign can be used. It changes nothing. */
export async function checkSigning({ configuration, named }: NamedDatabase): Promise<SigningCheck> {
  const nothing = { findings: [], warnings: [] };
  try {
    const holders = await keyHolders(configuration);
    const store = await openStore({ ...named, clock: systemClock, isMachineClock: true });
    try {
      const now = store.clock.now();
      const keys = (await store.signingKeys.list()).filter((key) => canSign(key, now));
      if (keys.length === 0) return nothing;
      const custody = await openCustody(holders, store, systemRandom, 'keep');
      const findings = keys.flatMap((key) => {
        const problem = custody.problemOf(key);
        return problem === undefined ? [] : [`the signing key ${key.kid} (${key.algorithm}): ${problem}`];
      });
      return { ...nothing, findings };
    } finally {
      await store.close();
    }
  } catch (error) {
    if (error instanceof ConfigurationError) {
      return { ...nothing, warnings: error.problems.map(({ path, problem }) => `${path}: ${problem}`) };
    }
    // A database without tables has no keys.
    if (error instanceof DatabaseOpenError) return nothing;
    throw error;
  }
}
