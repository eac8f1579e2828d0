import { type Caller, changeSigningKeys } from '@watchword/administration';
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
import { type KeyMakingDependencies, makeKey, publish } from './make-key.ts';

/** What an administrator does with signing keys. */
export interface KeyAdministration {
  /**
   * Publishes the next key of the algorithm, unless one is published already.
   *
   * @param atOnce whether it signs now, before caches know it. It does in any case if the key that signs cannot be used here.
   * @returns the next key
   * @throws KeyManagementError
   */
  rotate(algorithm: SigningAlgorithm, atOnce: boolean): Promise<SigningKey>;
  /** Publishes a key that the administrator brings. @throws OAuthError `invalid_request` if it is known already */
  add(made: MadeSigningKey, atOnce: boolean): Promise<SigningKey>;
  /**
   * Lets another key take the place of this one, which then retires.
   *
   * @returns the key, and the one that signs after it
   * @throws OAuthError `not_found`, `invalid_request` if it is retired already; KeyManagementError
   */
  retire(kid: string): Promise<RetiredKey>;
  /**
   * Ends a key whose private half another party has: no token verifies with it any more. It needs no private half, so it is
   * possible when none can be used. The caller removes the key from the key management system.
   *
   * @throws OAuthError `not_found`
   */
  endCompromised(kid: string): Promise<RetiredKey & Pick<SigningKey, 'privateKey'>>;
}

export interface RetiredKey {
  readonly key: SigningKey;
  /** The key that signs next; `undefined` if the server makes one when it signs. */
  readonly next: SigningKey | undefined;
}

export function keyAdministration(caller: Caller, deps: KeyMakingDependencies): KeyAdministration {
  const { clock, custody } = deps;
  const isUsable = (key: SigningKey) => custody.problemOf(key) === undefined;
  const change = (plan: (keys: readonly SigningKey[]) => SigningKeyChanges) =>
    changeSigningKeys(caller, deps, plan);
  const administration: KeyAdministration = {
    async rotate(algorithm, atOnce) {
      const promoted = await promote(algorithm, atOnce);
      if (promoted !== undefined) return promoted;
      const isLost = (keys: readonly SigningKey[]) => {
        const current = signingKeyOf(keys, algorithm, clock.now());
        return current !== undefined && !isUsable(current);
      };
      const signsAtOnce = (keys: readonly SigningKey[]) => atOnce || isLost(keys);
      return stored(await makeKey(caller, deps, algorithm, () => true, signsAtOnce));
    },
    async add(made, atOnce) {
      const isNew = (keys: readonly SigningKey[]) => {
        requireNew(made, keys);
        return true;
      };
      return stored((await publish(caller, deps, made, isNew, () => atOnce))?.inserted);
    },
    async retire(kid) {
      const now = clock.now();
      const keys = await deps.signingKeys.list();
      const key = found(keys, kid);
      if (!canSign(key, now)) throw alreadyRetired(key, now);
      if (key.signsFrom <= now) return { key, next: await administration.rotate(key.algorithm, false) };
      await change((current) => withdrawal(current, found(current, kid), now));
      return afterwards(kid);
    },
    async endCompromised(kid) {
      const { privateKey } = found(await deps.signingKeys.list(), kid);
      await change((keys) => compromise(keys, found(keys, kid), clock.now()));
      return { ...(await afterwards(kid)), privateKey };
    },
  };
  return administration;

  /** The key that is published and does not sign yet; it signs now if that is asked for. */
  async function promote(algorithm: SigningAlgorithm, atOnce: boolean): Promise<SigningKey | undefined> {
    let next: SigningKey | undefined;
    await change((keys) => {
      const now = clock.now();
      next = keys.find(
        (key) => key.algorithm === algorithm && canSign(key, now) && key.signsFrom > now && isUsable(key),
      );
      if (next === undefined || !atOnce) return {};
      const changes = promotion(keys, next, now);
      next = changes.updated?.[0];
      return changes;
    });
    return next;
  }

  async function afterwards(kid: string): Promise<RetiredKey> {
    const keys = await deps.signingKeys.list();
    const key = found(keys, kid);
    return { key, next: signingKeyOf(keys, key.algorithm, clock.now()) };
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
  throw new OAuthError('invalid_request', { description: knownKid });
}

const knownKid = 'There is a signing key with this id already; name another id with --kid.';

/** A key is used with one algorithm only, and published once (RFC 8725 §3.1). */
function requireNew({ kid, publicKey }: MadeSigningKey, keys: readonly SigningKey[]): void {
  if (keys.some((key) => key.kid === kid)) throw new OAuthError('invalid_request', { description: knownKid });
  const material = ({ n = '', x = '' }: MadeSigningKey['publicKey']) => n || x;
  const same = keys.find((key) => material(key.publicKey) === material(publicKey));
  if (same === undefined) return;
  throw new OAuthError('invalid_request', {
    description: `This key is the signing key ${same.kid} for ${same.algorithm} already; a key is used with one algorithm only.`,
  });
}

function alreadyRetired(key: SigningKey, now: number): OAuthError {
  const state = signingKeyState(key, now);
  return new OAuthError('invalid_request', {
    description: `The signing key ${key.kid} does not sign any more: it is ${state}. If another party has its private half, add --compromised.`,
  });
}
