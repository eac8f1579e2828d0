import { rsaKey } from '@watchword/testkit/rsa-key';
import { type KeyPair, makeKeyPair, pairOf } from '../../../server/src/signing/key-pairs.ts';

type Algorithm = Parameters<typeof makeKeyPair>[0];

/** The key pairs of a server of a test. */
export interface BorrowedKeyPairs {
  make(algorithm: Algorithm): Promise<KeyPair>;
  /** Keeps them until {@link giveBackKeyPairs}, because another server of the database must not get a key pair that it has. */
  keepFor(database: string): void;
}

/** Key pairs of servers that are closed. */
const free = new Map<Algorithm, KeyPair[]>();

/** Key pairs by the database that has them. */
const kept = new Map<string, [Algorithm, KeyPair][]>();

/** Key pairs that no other open server of this process has. An RSA key takes longer to make than most tests. */
export function borrowKeyPairs(): BorrowedKeyPairs {
  const borrowed: [Algorithm, KeyPair][] = [];
  return {
    async make(algorithm) {
      const pair = free.get(algorithm)?.pop() ?? (await newPair(algorithm));
      borrowed.push([algorithm, pair]);
      return pair;
    },
    keepFor(database) {
      kept.set(database, [...(kept.get(database) ?? []), ...borrowed]);
    },
  };
}

let rsaKeys = 0;

async function newPair(algorithm: Algorithm): Promise<KeyPair> {
  if (algorithm !== 'RS256' && algorithm !== 'PS256') return makeKeyPair(algorithm);
  rsaKeys += 1;
  return pairOf(rsaKey(`server ${rsaKeys}`, 2048));
}

/** Lets the next servers have the key pairs of the databases in the directory, which is removed. */
export function giveBackKeyPairs(directory: string): void {
  for (const [database, pairs] of kept) {
    if (!database.startsWith(directory)) continue;
    kept.delete(database);
    for (const [algorithm, pair] of pairs) free.set(algorithm, [...(free.get(algorithm) ?? []), pair]);
  }
}
