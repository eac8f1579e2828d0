import {
  canSign,
  compromise,
  type MadeSigningKey,
  OAuthError,
  promotion,
  type SigningAlgorithm,
  type SigningKey,
  type SigningKeyChanges,
  signingKeyOf,
  signingKeyState,
  withdrawal,
} from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import { type KeyHolder, type KeyMakingDependencies, makeKey, publish } from './make-key.ts';
import { requireKeyAccess } from './sealing-keys.ts';
import { changeSigningKeys } from './signing-keys.ts';

/** What administrators do with signing keys. For every other caller: OAuthError `access_denied`. */
export interface KeyAdministration {
  /** All keys, the one that signs last first. */
  list(caller: Caller): Promise<readonly ListedSigningKey[]>;
  /**
   * Publishes the next key of the algorithm, or of each algorithm that signs, unless one is published already.
   *
   * @param atOnce whether it signs now, before caches know it. It does in any case if the key that signs cannot be used here.
   * @returns the next key of each algorithm
   * @throws KeyManagementError
   */
  rotate(
    caller: Caller,
    algorithm: SigningAlgorithm | undefined,
    atOnce: boolean,
  ): Promise<readonly ListedSigningKey[]>;
  /** Publishes a key that the administrator brings. @throws OAuthError `invalid_request` if it is known already */
  add(caller: Caller, bring: () => Promise<MadeSigningKey>, atOnce: boolean): Promise<ListedSigningKey>;
  /**
   * Lets another key take the place of this one, which then retires.
   *
   * @returns the key, and the one that signs after it
   * @throws OAuthError `not_found`, `invalid_request` if it is retired already; KeyManagementError
   */
  retire(caller: Caller, kid: string): Promise<RetiredKey>;
  /**
   * Ends a key whose private half another party has: no token verifies with it any more. It needs no private half, so it is
   * possible when none can be used. A private half that cannot be removed from the key management system does not undo what was
   * more urgent.
   *
   * @throws OAuthError `not_found`
   */
  endCompromised(caller: Caller, kid: string): Promise<CompromisedKey>;
}

export interface ListedSigningKey extends SigningKey {
  /** Why the private half cannot be used here, with advice; `undefined` if it can, or if the key does not sign any more. */
  readonly problem: string | undefined;
}

export interface RetiredKey {
  readonly key: ListedSigningKey;
  /** The key that signs next; `undefined` if the server makes one when it signs. */
  readonly next: ListedSigningKey | undefined;
}

export interface CompromisedKey extends RetiredKey {
  /** The private half that is still in the key management system, by its name there; `undefined` if none is. */
  readonly remaining: { readonly reference: string; readonly problem?: string } | undefined;
}

export interface KeyAdministrationDependencies extends KeyMakingDependencies {
  /** With which the server signs. */
  readonly algorithms: readonly SigningAlgorithm[];
  /** Reads the changes of all processes now, so that this one knows its own. It never rejects. */
  readonly refresh: () => Promise<unknown>;
}

export function keyAdministration(deps: KeyAdministrationDependencies): KeyAdministration {
  const { clock, custody, signingKeys } = deps;
  const { nextKey, usedAlgorithms } = keySuccession(deps);
  const change = (caller: Caller, plan: (keys: readonly SigningKey[]) => SigningKeyChanges) =>
    changeSigningKeys(caller, deps, plan);
  const listed = (key: SigningKey): ListedSigningKey => ({
    ...key,
    problem: canSign(key, clock.now()) ? custody.problemOf(key) : undefined,
  });
  /** With a change that this process knows too. */
  const known = async <Value>(value: Promise<Value>): Promise<Value> => {
    const done = await value;
    await deps.refresh();
    return done;
  };
  return {
    async list(caller) {
      requireKeyAccess(caller);
      return (await signingKeys.list()).map(listed);
    },
    async rotate(caller, algorithm, atOnce) {
      requireKeyAccess(caller);
      const algorithms = algorithm === undefined ? await usedAlgorithms() : [algorithm];
      const keys: ListedSigningKey[] = [];
      for (const each of algorithms) keys.push(listed(await known(nextKey(caller, each, atOnce))));
      return keys;
    },
    async add(caller, bring, atOnce) {
      requireKeyAccess(caller);
      const made = await bring();
      const isNew = (keys: readonly SigningKey[]) => {
        requireNew(made, keys);
        return true;
      };
      return listed(stored((await known(publish(caller, deps, made, isNew, () => atOnce)))?.inserted));
    },
    async retire(caller, kid) {
      requireKeyAccess(caller);
      const now = clock.now();
      const key = found(await signingKeys.list(), kid);
      if (!canSign(key, now)) throw alreadyRetired(key, now);
      if (key.signsFrom <= now) {
        const next = await known(nextKey(caller, key.algorithm, false));
        return { key: (await afterwards(kid)).key, next: listed(next) };
      }
      await known(change(caller, (current) => withdrawal(current, found(current, kid), now)));
      return afterwards(kid);
    },
    async endCompromised(caller, kid) {
      requireKeyAccess(caller);
      const { privateKey } = found(await signingKeys.list(), kid);
      await known(change(caller, (keys) => compromise(keys, found(keys, kid), clock.now())));
      return { ...(await afterwards(kid)), remaining: await remainingOf(custody, privateKey) };
    },
  };

  async function afterwards(kid: string): Promise<RetiredKey> {
    const keys = await signingKeys.list();
    const key = found(keys, kid);
    const next = signingKeyOf(keys, key.algorithm, clock.now());
    return { key: listed(key), next: next && listed(next) };
  }
}

/** Makes the keys that follow others. */
function keySuccession(deps: KeyAdministrationDependencies) {
  const { clock, custody, signingKeys } = deps;
  const isUsable = (key: SigningKey) => custody.problemOf(key) === undefined;
  return { nextKey, usedAlgorithms };

  async function nextKey(caller: Caller, algorithm: SigningAlgorithm, atOnce: boolean): Promise<SigningKey> {
    const promoted = await promote(caller, algorithm, atOnce);
    if (promoted !== undefined) return promoted;
    const isLost = (keys: readonly SigningKey[]) => {
      const current = signingKeyOf(keys, algorithm, clock.now());
      return current !== undefined && !isUsable(current);
    };
    const signsAtOnce = (keys: readonly SigningKey[]) => atOnce || isLost(keys);
    // Another administrator can have published one meanwhile.
    const isNeeded = (keys: readonly SigningKey[]) => waitingIn(keys, algorithm) === undefined;
    const made = await makeKey(caller, deps, algorithm, isNeeded, signsAtOnce);
    return made ?? stored(await promote(caller, algorithm, atOnce));
  }

  /** The algorithms of the keys that sign. A server can have other settings than a command. */
  async function usedAlgorithms(): Promise<readonly SigningAlgorithm[]> {
    const now = clock.now();
    const signing = (await signingKeys.list()).filter((key) => canSign(key, now));
    const algorithms = new Set(signing.map(({ algorithm }) => algorithm));
    return algorithms.size > 0 ? [...algorithms].toSorted() : deps.algorithms;
  }

  /** The key that is published and does not sign yet. */
  function waitingIn(keys: readonly SigningKey[], algorithm: SigningAlgorithm): SigningKey | undefined {
    const now = clock.now();
    return keys.find(
      (key) => key.algorithm === algorithm && canSign(key, now) && key.signsFrom > now && isUsable(key),
    );
  }

  /** The same; it signs now if that is asked for. */
  async function promote(
    caller: Caller,
    algorithm: SigningAlgorithm,
    atOnce: boolean,
  ): Promise<SigningKey | undefined> {
    let next: SigningKey | undefined;
    await changeSigningKeys(caller, deps, (keys) => {
      next = waitingIn(keys, algorithm);
      if (next === undefined || !atOnce) return {};
      const changes = promotion(keys, next, clock.now());
      next = changes.updated?.[0];
      return changes;
    });
    return next;
  }
}

/** A failure does not undo what was more urgent. */
async function remainingOf(
  custody: KeyHolder,
  privateKey: SigningKey['privateKey'],
): Promise<CompromisedKey['remaining']> {
  if (privateKey === undefined || !('reference' in privateKey)) return undefined;
  const { reference } = privateKey;
  try {
    return (await custody.discard(privateKey)) ? undefined : { reference };
  } catch (error) {
    return { reference, problem: (error as Error).message };
  }
}

function found(keys: readonly SigningKey[], kid: string): SigningKey {
  const key = keys.find((each) => each.kid === kid);
  if (key !== undefined) return key;
  throw new OAuthError('not_found', {
    description: 'There is no signing key with this id; "watchword keys list" shows all.',
  });
}

function stored(key: SigningKey | undefined): SigningKey {
  if (key !== undefined) return key;
  throw contradiction(knownKid);
}

const knownKid = 'There is a signing key with this id already; name another id with --kid.';

function contradiction(description: string): OAuthError {
  return new OAuthError('invalid_request', { rule: 'single_signing_key', description });
}

/** A key is used with one algorithm only, and published once (RFC 8725 §3.1). */
function requireNew({ kid, publicKey }: MadeSigningKey, keys: readonly SigningKey[]): void {
  if (keys.some((key) => key.kid === kid)) throw contradiction(knownKid);
  const material = ({ n = '', x = '' }: MadeSigningKey['publicKey']) => n || x;
  const same = keys.find((key) => material(key.publicKey) === material(publicKey));
  if (same === undefined) return;
  throw contradiction(
    `This key is the signing key ${same.kid} for ${same.algorithm} already; a key is used with one algorithm only.`,
  );
}

function alreadyRetired(key: SigningKey, now: number): OAuthError {
  const state = signingKeyState(key, now);
  return contradiction(
    `The signing key ${key.kid} does not sign any more: it is ${state}. If another party has its private half, add --compromised.`,
  );
}
