import type { Clock, KeyManagement, SigningKeyRules } from '@watchword/protocol';
import { memoryStore } from '@watchword/testkit';
import { custody } from '../../src/signing/custody.ts';
import { type KeyMaintenanceDependencies, maintainKeys } from '../../src/signing/maintenance.ts';
import { openSigning, type Signing } from '../../src/signing/signing.ts';
import { systemRandom } from '../../src/system.ts';

export interface SigningParts {
  readonly store: ReturnType<typeof memoryStore>;
  /** One more node on the same keys. */
  node(given?: Partial<NodeOptions>): Promise<Omit<Signing, 'maintain'> & { maintain(): Promise<void> }>;
}

interface NodeOptions {
  readonly rules: Partial<SigningKeyRules>;
  readonly kms: KeyManagement | undefined;
  readonly sealingKey: Uint8Array | undefined;
}

export const sealingKey = Buffer.alloc(32, 'sealing');

/** Nodes that sign, on the clock of a test. */
export function signingParts(clock: Clock): SigningParts {
  const store = memoryStore();
  const followers: (() => Promise<void>)[] = [];
  const refresh = () => Promise.all(followers.map((read) => read()));
  return {
    store,
    async node({ rules, kms, ...given } = {}) {
      const deps = {
        signingKeys: store.signingKeys,
        async transact<Value>(work: Parameters<typeof store.transact<Value>>[0]) {
          const value = await store.transact(work);
          await refresh();
          return value;
        },
        clock,
        random: systemRandom,
        custody: custody({ sealingKey, kms, random: systemRandom, ...given }),
        rules: {
          algorithms: ['ES256'],
          rotationInterval: 90 * 86_400,
          sessionLifetime: 7 * 86_400,
          ...rules,
        },
        followChanges: (read: () => Promise<void>) => void followers.push(read),
        refresh,
      } as const satisfies Omit<KeyMaintenanceDependencies, 'keys' | 'make'>;
      const signing = await openSigning(deps);
      return { ...signing, maintain: () => maintainKeys({ ...deps, ...signing }) };
    },
  };
}
