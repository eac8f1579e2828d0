import { type ForeignKey, isMissing, makeKey, systemCaller } from '@watchword/administration';
import {
  canSign,
  KeyManagementError,
  type MadeSigningKey,
  missingKeys,
  type PublishedKey,
  type SigningAlgorithm,
  type TokenSigner,
} from '@watchword/protocol';
import type { Logger } from '../runtime/log/logger.ts';
import { keyMaintenanceInterval } from '../runtime/work/key-rotation.ts';
import type { UnderLease } from '../runtime/work/lease.ts';
import { keyAdopter } from './adopted-key.ts';
import type { Custody } from './custody.ts';
import { startKeyMaintenance } from './maintenance.ts';
import type { SigningDependencies } from './signing-dependencies.ts';
import { SigningKeys } from './signing-keys.ts';
import { tokenSigner } from './token-signer.ts';

/** The keys of the server, and what is done with them. */
export interface Signing {
  readonly signer: TokenSigner;
  readonly custody: Custody;
  /** Takes over a key that an administrator brings. @throws OAuthError `invalid_request`, KeyManagementError */
  adopt(key: ForeignKey): Promise<MadeSigningKey>;
  readonly keys: SigningKeys;
  /** The JSON Web Key Set (RFC 7517 §5). It makes the keys that are missing. */
  keySet(): Promise<{ readonly keys: readonly PublishedKey[] }>;
  /** What is wrong with the keys that sign, as sentences for the operator. */
  problems(): readonly string[];
  /** Makes a key of the algorithm if one is missing or due. Callers at the same time share it. */
  make(algorithm: SigningAlgorithm): Promise<void>;
  /** Makes, erases and removes keys in the background, by one node at a time. @returns a function that stops it */
  maintain(underLease: UnderLease, logger: Logger): () => Promise<void>;
}

/** Reads the keys. @throws KeyManagementError if a private half cannot be used that is to sign */
export async function openSigning(deps: SigningDependencies): Promise<Signing> {
  const { clock, custody, rules } = deps;
  const keys = await SigningKeys.open(deps.signingKeys, clock);
  requireUsable(keys, deps);
  deps.followChanges(() => keys.read());
  const make = sharedCalls(async (algorithm: SigningAlgorithm) => {
    const isNeeded = isMissing(algorithm, rules.rotationInterval, clock.now());
    await makeKey(systemCaller, deps, algorithm, isNeeded);
  });
  return {
    keys,
    custody,
    adopt: keyAdopter(custody, deps.random),
    make,
    problems: () => problemsOf(keys, deps),
    signer: tokenSigner({ ...deps, ...rules, keys, custody, make }),
    async keySet() {
      const missing = rules.algorithms.filter((algorithm) => keys.signing(algorithm) === undefined);
      const made = await Promise.allSettled(missing.map(make));
      const published = keys.published();
      const failed = made.find(({ status }) => status === 'rejected');
      if (published.length === 0 && failed !== undefined) throw (failed as PromiseRejectedResult).reason;
      return { keys: published };
    },
    maintain: (underLease, logger) => startKeyMaintenance({ ...deps, keys, make, underLease, logger }),
  };
}

function requireUsable(keys: SigningKeys, { clock, custody, rules }: SigningDependencies): void {
  const now = clock.now();
  for (const key of keys.list()) {
    if (!canSign(key, now) || !rules.algorithms.includes(key.algorithm)) continue;
    const problem = custody.problemOf(key);
    if (problem === undefined) continue;
    throw new KeyManagementError(
      `The server cannot sign with the key ${key.kid} (${key.algorithm}): ${problem}. If it is lost, run "watchword keys rotate": it replaces the keys that cannot be used.`,
    );
  }
}

// Milliseconds: the maintenance of keys has missed its time twice.
const late = 2 * keyMaintenanceInterval * 1000;

function problemsOf(keys: SigningKeys, { clock, custody, rules }: SigningDependencies): string[] {
  const now = clock.now();
  const signing = keys.list().filter((key) => canSign(key, now) && rules.algorithms.includes(key.algorithm));
  const unusable = signing.flatMap((key) => {
    const problem = custody.problemOf(key);
    return problem === undefined ? [] : [`The key ${key.kid} (${key.algorithm}) cannot sign: ${problem}.`];
  });
  const overdue = missingKeys(signing, rules, now - late)
    .filter((algorithm) => signing.some((key) => key.algorithm === algorithm))
    .map(
      (algorithm) => `The key for ${algorithm} is older than signing.rotationInterval, and none follows it.`,
    );
  return [...unusable, ...overdue];
}

/** Calls with the same argument at the same time share one call. */
function sharedCalls<Key>(work: (key: Key) => Promise<void>): (key: Key) => Promise<void> {
  const underWay = new Map<Key, Promise<void>>();
  return (key) => {
    const current = underWay.get(key);
    if (current !== undefined) return current;
    const started = work(key).finally(() => underWay.delete(key));
    underWay.set(key, started);
    return started;
  };
}
