import type { ForeignKey } from '@watchword/administration';
import {
  type MadeSigningKey,
  OAuthError,
  type Random,
  type SigningAlgorithm,
  signingAlgorithms,
} from '@watchword/protocol';
import { type Custody, newKid } from './custody.ts';
import { algorithmsOf, pairOf, type ReadKey, readPrivateKey } from './key-pairs.ts';

/** A key that another program has made, and how it is to be used. */
interface BroughtKey {
  /** The private key, or the name that it has in the key management system. */
  readonly key: ReadKey | { readonly reference: string };
  readonly algorithm: SigningAlgorithm | undefined;
  /** `undefined`: that of the JSON Web Key, or a new one. */
  readonly kid: string | undefined;
}

/** Why a key cannot be used, as an end of the sentence that begins with the field. */
export interface UnusableKey {
  readonly field: 'key' | 'algorithm' | 'kid';
  readonly problem: string;
}

/** Takes over a key that another program has made. @throws KeyManagementError */
export async function adoptedKey(
  custody: Custody,
  random: Random,
  { key, algorithm, kid }: BroughtKey,
): Promise<MadeSigningKey | UnusableKey> {
  const named = kid ?? ('reference' in key ? undefined : key.kid) ?? newKid(random);
  if (!/^[\x21-\x7e]{1,128}$/.test(named)) {
    const problem = 'expected 1 to 128 printable ASCII characters without spaces, got another text';
    return { field: 'kid', problem };
  }
  if ('reference' in key) {
    return algorithm === undefined
      ? needsAlgorithm(signingAlgorithms)
      : custody.refer(named, algorithm, key.reference);
  }
  const possible = algorithmsOf(key.key);
  if (typeof possible === 'string') return { field: 'key', problem: possible };
  const wanted = algorithm ?? key.alg ?? (possible.length === 1 ? possible[0] : undefined);
  if (wanted === undefined) return needsAlgorithm(possible);
  const usable = possible.find((each) => each === wanted);
  if (usable !== undefined) return custody.take(named, usable, pairOf(key.key));
  const problem = `the key can be used with ${possible.join(' or ')}, and not with ${wanted}`;
  return { field: 'key', problem };
}

function needsAlgorithm(possible: readonly SigningAlgorithm[]): UnusableKey {
  const problem = `expected ${possible.join(' or ')}, because a key is used with one algorithm only`;
  return { field: 'algorithm', problem };
}

/** Takes over keys as the administration interface gets them. The function throws OAuthError `invalid_request`, KeyManagementError. */
export function keyAdopter(custody: Custody, random: Random) {
  return async ({ privateKey, kmsKey = '', algorithm, kid }: ForeignKey): Promise<MadeSigningKey> => {
    const key = privateKey === undefined ? { reference: kmsKey } : readPrivateKey(privateKey);
    const adopted =
      key === undefined
        ? unreadableKey(privateKey ?? '')
        : await adoptedKey(custody, random, { key, algorithm, kid });
    if (!('problem' in adopted)) return adopted;
    const { field, problem } = adopted;
    const name = field === 'key' && privateKey !== undefined ? 'privateKey' : field;
    throw new OAuthError('invalid_request', { rule: 'valid_record', violations: [`${name}: ${problem}`] });
  };
}

/** Why a text is no private key that can be read. */
export function unreadableKey(text: string): UnusableKey {
  const got = /ENCRYPTED/.test(text)
    ? 'a key with a passphrase; remove it with "openssl pkey -in FILE -out NEW_FILE"'
    : 'another text';
  return { field: 'key', problem: `expected a private key in PEM or as a JSON Web Key, got ${got}` };
}
