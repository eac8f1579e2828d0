/** A stored hash of a password, with what is needed to compute it again. */
export type PasswordHash = Argon2Hash | ScryptHash | Pbkdf2Hash | BcryptHash;

interface Salted {
  readonly salt: Uint8Array;
  readonly tag: Uint8Array;
}

/** RFC 9106 §3.1, version 0x13. */
export interface Argon2Hash extends Salted {
  readonly kind: 'argon2d' | 'argon2i' | 'argon2id';
  /** KiB. */
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** RFC 7914. */
export interface ScryptHash extends Salted {
  readonly kind: 'scrypt';
  /** Of 2: the cost N. */
  readonly exponent: number;
  readonly blockSize: number;
  readonly parallelism: number;
}

/** RFC 8018 §5.2. The tag is never longer than the digest: a longer one costs the server more than it costs a guesser. */
export interface Pbkdf2Hash extends Salted {
  readonly kind: 'pbkdf2';
  readonly digest: keyof typeof digestLengths;
  readonly iterations: number;
}

export interface BcryptHash {
  readonly kind: 'bcrypt';
  /** `$2b$10$…`, which `$2a$` and `$2y$` equal. */
  readonly text: string;
  /** Logarithm of the rounds. */
  readonly cost: number;
  /** Whether the hash is of the hexadecimal SHA-256 digest of the password, as Django makes it. */
  readonly isOfDigest: boolean;
}

/** Bytes. */
export const digestLengths = { sha1: 20, sha256: 32, sha512: 64 } as const;

const salted = '\\$([A-Za-z0-9+/]{2,171})\\$([A-Za-z0-9+/]{22,171})$';
const argon2 = new RegExp(
  `^\\$(argon2(?:id|i|d))\\$v=19\\$m=(\\d{1,10}),t=(\\d{1,10}),p=(\\d{1,8})${salted}`,
);
const scrypt = new RegExp(`^\\$scrypt\\$ln=(\\d{1,2}),r=(\\d{1,9}),p=(\\d{1,9})${salted}`);
const pbkdf2 = new RegExp(`^\\$pbkdf2-(sha1|sha256|sha512)\\$i=(\\d{1,10})${salted}`);
const bcrypt = /^(bcrypt_sha256\$)?(\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53})$/;

/** Reads a hash as it is stored: in PHC string form, or bcrypt's own. `undefined` for any other text. */
export function parsePasswordHash(text: string): PasswordHash | undefined {
  const [, ofDigest, own = '', cost] = bcrypt.exec(text) ?? [];
  if (cost !== undefined) {
    return { kind: 'bcrypt', text: own, cost: Number(cost), isOfDigest: ofDigest !== undefined };
  }
  return parseArgon2(text) ?? parseScrypt(text) ?? parsePbkdf2(text);
}

function parseArgon2(text: string): Argon2Hash | undefined {
  const [, kind, memory, passes, parallelism, salt, tag] = argon2.exec(text) ?? [];
  if (kind !== 'argon2d' && kind !== 'argon2i' && kind !== 'argon2id') return undefined;
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  return { kind, ...cost, ...bytes(salt, tag) };
}

function parseScrypt(text: string): ScryptHash | undefined {
  const [, exponent, blockSize, parallelism, salt, tag] = scrypt.exec(text) ?? [];
  if (exponent === undefined) return undefined;
  const cost = {
    exponent: Number(exponent),
    blockSize: Number(blockSize),
    parallelism: Number(parallelism),
  };
  return { kind: 'scrypt', ...cost, ...bytes(salt, tag) };
}

function parsePbkdf2(text: string): Pbkdf2Hash | undefined {
  const [, digest, iterations, salt, tag] = pbkdf2.exec(text) ?? [];
  if (digest !== 'sha1' && digest !== 'sha256' && digest !== 'sha512') return undefined;
  return { kind: 'pbkdf2', digest, iterations: Number(iterations), ...bytes(salt, tag) };
}

function bytes(salt = '', tag = ''): Salted {
  return { salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') };
}

/** The text that is stored: `$argon2id$v=19$m=…,t=…,p=…$salt$tag` with base64 without padding, and the like. */
export function formatPasswordHash(hash: PasswordHash): string {
  if (hash.kind === 'bcrypt') return `${hash.isOfDigest ? 'bcrypt_sha256$' : ''}${hash.text}`;
  return `$${parametersOf(hash)}$${base64(hash.salt)}$${base64(hash.tag)}`;
}

function parametersOf(hash: Exclude<PasswordHash, BcryptHash>): string {
  switch (hash.kind) {
    case 'pbkdf2':
      return `pbkdf2-${hash.digest}$i=${hash.iterations}`;
    case 'scrypt':
      return `scrypt$ln=${hash.exponent},r=${hash.blockSize},p=${hash.parallelism}`;
    default:
      return `${hash.kind}$v=19$m=${hash.memory},t=${hash.passes},p=${hash.parallelism}`;
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '');
}
