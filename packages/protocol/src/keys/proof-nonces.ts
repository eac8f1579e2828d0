import type { Clock } from '../ports/system/clock.ts';
import type { Sealer } from './key-ring.ts';

/** Nonces for DPoP proofs (RFC 9449 §8): the time at which they were made, sealed, so that every node knows them and no table has them. */
export interface ProofNonces {
  make(): Promise<string>;
  /** Epoch milliseconds: when a node made it. `undefined` for any other text, and for a nonce that is too old. */
  madeAt(nonce: string): Promise<number | undefined>;
}

export interface ProofNonceDependencies {
  readonly clock: Clock;
  openSealer(): Promise<Pick<Sealer, 'sealText' | 'openText'>>;
}

/** Milliseconds: for so long a client can use a nonce. */
export const nonceLifetime = 300_000;

const purpose = 'DPoP nonce';

export function proofNonces({ clock, openSealer }: ProofNonceDependencies): ProofNonces {
  return {
    make: async () => (await openSealer()).sealText(purpose, String(clock.now())),
    async madeAt(nonce) {
      const text = await (await openSealer()).openText(purpose, nonce);
      const madeAt = Number(text);
      // The clocks of nodes differ, so it can be of a moment to come.
      return Math.abs(clock.now() - madeAt) < nonceLifetime ? madeAt : undefined;
    },
  };
}
