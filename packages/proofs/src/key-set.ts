import { decode } from 'jose/base64url';
import { platform } from './platform.ts';
import { isSignatureAlgorithm, keyKinds, rsaBits, secretMembers } from './public-key.ts';

/** The members of a public key that are used (RFC 7517 §4, RFC 7518 §6, RFC 8037 §2). */
export type ListedKey = {
  readonly kty: string;
  readonly use?: string;
  readonly key_ops?: readonly string[];
  readonly alg?: string;
  readonly kid?: string;
  readonly crv?: string;
  readonly x?: string;
  readonly y?: string;
  readonly n?: string;
  readonly e?: string;
};

/** A JSON Web Key Set (RFC 7517 §5) without private keys. */
export interface KeySet {
  readonly keys: readonly ListedKey[];
}

export const noKeys: KeySet = { keys: [] };

/** Of a set as JSON, and of its keys. */
export const maxKeySetBytes = 65_536;
export const maxKeys = 20;

const maxExponentBytes = 4;

const texts = ['kty', 'use', 'alg', 'kid', 'crv', 'x', 'y', 'n', 'e'] as const;

/**
 * Reads a set of public keys, and leaves out the members that are not used. Keys of types that are not known stay, and verify
 * nothing: other servers can use them.
 *
 * @returns a problem as a phrase that follows the name of the set, in ASCII and without a text of it
 */
export function readKeySet(value: unknown): KeySet | { readonly problem: string } {
  const problem = shapeProblem(value);
  if (problem !== undefined) return { problem };
  const { keys } = value as { readonly keys: readonly Record<string, unknown>[] };
  for (const [index, key] of keys.entries()) {
    const wrong = keyProblem(key);
    if (wrong !== undefined) return { problem: `has a key (number ${index + 1}) that ${wrong}` };
  }
  return { keys: keys.map(publicMembers) };
}

function shapeProblem(value: unknown): string | undefined {
  if (!isObject(value) || !Array.isArray(value.keys) || !value.keys.every(isObject))
    return 'is not a JSON Web Key Set, which is an object with a list of keys: {"keys": [...]}';
  if (value.keys.length > maxKeys) return `has more than ${maxKeys} keys`;
  return new platform.TextEncoder().encode(JSON.stringify(value)).length > maxKeySetBytes
    ? `has more than ${maxKeySetBytes} bytes`
    : undefined;
}

function keyProblem(key: Readonly<Record<string, unknown>>): string | undefined {
  if (key.kty === 'oct') return 'is symmetric; register public keys only';
  if (secretMembers.some((name) => Object.hasOwn(key, name)))
    return 'is private; register its public half only, and replace the key, because others may have seen it';
  if (typeof key.kty !== 'string') return 'has no kty';
  const wrong = texts.find((name) => key[name] !== undefined && typeof key[name] !== 'string');
  if (wrong !== undefined) return `has a member ${wrong} that is not a text`;
  const { key_ops: uses } = key;
  const areTexts = Array.isArray(uses) && uses.every((use) => typeof use === 'string');
  if (uses !== undefined && !areTexts) return 'has a member key_ops that is not a list of texts';
  return key.kty === 'RSA'
    ? rsaProblem(key as unknown as ListedKey)
    : coordinateProblem(key as unknown as ListedKey);
}

function rsaProblem({ n, e }: ListedKey): string | undefined {
  const [modulus, exponent] = [numberOf(n), numberOf(e)];
  if (modulus === undefined || exponent === undefined) return 'has no n and e in base64url';
  const bits = bitsOf(modulus);
  if (bits < rsaBits.least || bits > rsaBits.most)
    return `has ${bits} bits; RSA keys must have ${rsaBits.least} to ${rsaBits.most}`;
  const isUsual =
    exponent.length <= maxExponentBytes && (exponent.at(-1) ?? 0) % 2 === 1 && bitsOf(exponent) > 1;
  return isUsual ? undefined : 'has an exponent e that is even, 1, or too large; 65537 is usual';
}

/** Octets of the coordinates of a point, by curve. */
const coordinateSizes: Readonly<Record<string, number>> = {
  'P-256': 32,
  'P-384': 48,
  'P-521': 66,
  Ed25519: 32,
};

function coordinateProblem({ kty, crv = '', x, y }: ListedKey): string | undefined {
  const size = coordinateSizes[crv];
  if (size === undefined || (kty !== 'EC' && kty !== 'OKP')) return undefined;
  const coordinates = kty === 'EC' ? [x, y] : [x];
  return coordinates.every((coordinate) => bytesOf(coordinate)?.length === size)
    ? undefined
    : `has no point of ${crv} in base64url`;
}

/** The octets of a number without zeros before it. */
function numberOf(text: string | undefined): Uint8Array | undefined {
  const bytes = bytesOf(text);
  const first = bytes?.findIndex((byte) => byte !== 0) ?? -1;
  return first === -1 ? undefined : bytes?.subarray(first);
}

function bytesOf(text: string | undefined): Uint8Array | undefined {
  return text !== undefined && /^[A-Za-z0-9_-]+$/.test(text) && text.length % 4 !== 1
    ? decode(text)
    : undefined;
}

function bitsOf([first = 0, ...others]: Iterable<number>): number {
  return others.length * 8 + first.toString(2).length;
}

function publicMembers(key: Readonly<Record<string, unknown>>): ListedKey {
  const members = [...texts, 'key_ops'].filter((name) => key[name] !== undefined);
  // So SPIFFE names keys of signatures (SPIFFE Trust Domain and Bundle §4.2.2).
  const isOfSpiffe = key.use === 'jwt-svid';
  const entries = members.map((name) => [name, name === 'use' && isOfSpiffe ? 'sig' : key[name]]);
  return Object.fromEntries(entries) as unknown as ListedKey;
}

/**
 * The keys that can have made a signature. A key with `alg` makes none of another algorithm, and of the others the type decides.
 *
 * @param kid that the signature names; `undefined`: each key can have made it. So can a key without a name
 */
export function signatureKeys({ keys }: KeySet, alg: string, kid: string | undefined): readonly ListedKey[] {
  const kind: Pick<ListedKey, 'kty' | 'crv'> | undefined = isSignatureAlgorithm(alg)
    ? keyKinds[alg]
    : undefined;
  return keys.filter(
    (key) =>
      key.kty === kind?.kty &&
      (kind.crv === undefined || key.crv === kind.crv) &&
      (key.alg === undefined || usualName(key.alg) === usualName(alg)) &&
      (key.use ?? 'sig') === 'sig' &&
      (key.key_ops ?? ['verify']).includes('verify') &&
      (kid === undefined || (key.kid ?? kid) === kid),
  );
}

/** The name that most servers know: Ed25519 is EdDSA with its only curve here (RFC 9864 §2.2). */
export function usualName(alg: string): string {
  return alg === 'Ed25519' ? 'EdDSA' : alg;
}

/** Whether an algorithm is among names, by either of its own. */
export function isOneOf(alg: string, names: readonly string[]): boolean {
  return names.includes(alg) || names.some((name) => usualName(name) === usualName(alg));
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
