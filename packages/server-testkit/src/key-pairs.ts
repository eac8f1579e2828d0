import { type KeyPair, makeKeyPair } from '../../server/src/signing/key-pairs.ts';

type Algorithm = Parameters<typeof makeKeyPair>[0];

/** The key pairs of a server of a test. */
export interface BorrowedKeyPairs {
  make(algorithm: Algorithm): Promise<KeyPair>;
  /** To be called once, when no server can use them any longer. */
  giveBack(): void;
}

/** Key pairs of servers that are closed. */
const free = new Map<Algorithm, KeyPair[]>();

/** Key pairs that no other open server of this process has. An RSA key takes longer to make than most tests. */
export function borrowKeyPairs(): BorrowedKeyPairs {
  const borrowed: [Algorithm, KeyPair][] = [];
  return {
    async make(algorithm) {
      const pair = free.get(algorithm)?.pop() ?? (await makeKeyPair(algorithm));
      borrowed.push([algorithm, pair]);
      return pair;
    },
    giveBack() {
      for (const [algorithm, pair] of borrowed) {
        free.set(algorithm, [...(free.get(algorithm) ?? []), pair]);
      }
    },
  };
}
