import {
  type MadeSigningKey,
  missingKeys,
  type SigningAlgorithm,
  type SigningKey,
  type SigningKeyChanges,
  type SigningKeyReader,
  succession,
} from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import { changeSigningKeys, type SigningKeyDependencies } from './signing-keys.ts';

/** Where the private halves of signing keys are: sealed in the database, or in a key management system. */
export interface KeyHolder {
  /** Makes a key pair. @throws KeyManagementError */
  make(algorithm: SigningAlgorithm): Promise<MadeSigningKey>;
  /** Why the private half of a key cannot be used here, with advice; `undefined` if it can. */
  problemOf(key: SigningKey): string | undefined;
  /**
   * Removes a private half from the key management system, if it is there.
   *
   * @returns `false` if it is there and no system is configured
   * @throws KeyManagementError
   */
  discard(privateKey: SigningKey['privateKey']): Promise<boolean>;
}

export interface KeyMakingDependencies extends SigningKeyDependencies {
  readonly signingKeys: SigningKeyReader;
  readonly custody: KeyHolder;
}

/**
 * Makes a key and publishes it, if `isNeeded` says so of the keys as they are then: another node can have made one meanwhile.
 *
 * @param atOnce whether it signs before caches know it
 * @returns the key that is stored; `undefined` if none was needed
 */
export async function makeKey(
  caller: Caller,
  deps: KeyMakingDependencies,
  algorithm: SigningAlgorithm,
  isNeeded: (keys: readonly SigningKey[]) => boolean,
  atOnce?: (keys: readonly SigningKey[]) => boolean,
): Promise<SigningKey | undefined> {
  const { custody } = deps;
  const made = await custody.make(algorithm);
  const changes = await publish(caller, deps, made, isNeeded, atOnce).catch(async (error: unknown) => {
    await discarded(custody, made);
    throw error;
  });
  if (changes?.inserted === undefined) await discarded(custody, made);
  return changes?.inserted;
}

/** Publishes a key. @returns `undefined` if there is a key with its `kid` */
export function publish(
  caller: Caller,
  deps: SigningKeyDependencies,
  made: MadeSigningKey,
  isNeeded: (keys: readonly SigningKey[]) => boolean = () => true,
  atOnce: (keys: readonly SigningKey[]) => boolean = () => false,
): Promise<SigningKeyChanges | undefined> {
  return changeSigningKeys(caller, deps, (keys) =>
    isNeeded(keys) ? succession(keys, made, deps.clock.now(), atOnce(keys)) : {},
  );
}

/** A key that nobody uses stays in the key management system if it cannot be removed there. The error before matters more. */
async function discarded(custody: KeyHolder, { privateKey }: MadeSigningKey): Promise<void> {
  await custody.discard(privateKey).catch(() => false);
}

/** Whether a key of the algorithm is missing, or the one that signs is to be followed by another. */
export function isMissing(
  algorithm: SigningAlgorithm,
  rotationInterval: number,
  now: number,
): (keys: readonly SigningKey[]) => boolean {
  return (keys) => missingKeys(keys, { algorithms: [algorithm], rotationInterval }, now).length > 0;
}
