import { isObject } from '@watchword/protocol';
import {
  digestLengths,
  formatPasswordHash,
  type PasswordHash,
  type Pbkdf2Hash,
  parsePasswordHash,
} from './password-hash.ts';

/** A hash of another product as this server stores it, or why the server does not take it. Neither text contains the hash. */
export type ImportedHash = { readonly hash: string } | { readonly problem: string };

/**
 * Reads the hash of a password as other products write it.
 *
 * @param given a text, or a credential of an export of Keycloak
 */
export function importedHash(given: unknown): ImportedHash {
  const found = typeof given === 'string' ? ofText(given) : ofKeycloak(given);
  if (found === undefined) return { problem: unknownForm(given) };
  const problem = problemOf(found);
  return problem === undefined ? { hash: formatPasswordHash(shortened(found)) } : { problem };
}

// Other forms of crypt(3), LDAP and Argon2 by their beginnings, which are no secret.
const unsupported: readonly [RegExp, string][] = [
  [/^\$argon2(?:id|i|d)\$(?:v=16\$)?m=/, 'Argon2 of version 1.0'],
  [/^\$2x\$/, 'bcrypt with the error of 2011 ($2x$)'],
  [/^(?:\{crypt\})?\$1\$/i, 'MD5-crypt'],
  [/^(?:\{crypt\})?\$5\$/i, 'SHA-256-crypt'],
  [/^(?:\{crypt\})?\$6\$/i, 'SHA-512-crypt'],
  [/^(?:\{crypt\})?\$(?:y|7)\$/i, 'a yescrypt'],
  [/^\{s?(?:sha|md5)\d*\}/i, 'a fast'],
];

function unknownForm(given: unknown): string {
  const [, name] = unsupported.find(([form]) => typeof given === 'string' && form.test(given)) ?? [];
  const came = name === undefined ? 'another text' : `${name} hash`;
  return `expected an argon2, bcrypt, scrypt or PBKDF2 hash in a form of the guide, got ${came}; leave it out, and the user sets a password`;
}

/** Takes what the groups of the expression found. */
type Reader = readonly [RegExp, (...groups: string[]) => PasswordHash | undefined];

// Each form is anchored, and no repetition is within another.
const readers: readonly Reader[] = [
  // Django, Spring Security, Dovecot and LDAP write the form of others after a word of their own.
  [/^argon2(\$argon2.+)$/, parsePasswordHash],
  [/^bcrypt\$(\$.+)$/, parsePasswordHash],
  [/^\{(?:argon2|argon2id?|bcrypt|blf-crypt|crypt)\}(\$.+)$/i, parsePasswordHash],
  // passlib, also with the alphabet that has a dot for the plus.
  [
    /^\$pbkdf2(?:-(sha256|sha512))?\$(\d{1,10})\$([^$]+)\$([^$]+)$/,
    (digest = 'sha1', ...of) => ofParts(digest, ...of),
  ],
  [/^\$pbkdf2-(sha1|sha256|sha512)\$i=(\d{1,10}),l=\d{1,4}\$([^$]+)\$([^$]+)$/, ofParts],
  [
    /^\{pbkdf2(?:-(sha1|sha256|sha512))?\}(\d{1,10})\$([^$]+)\$([^$]+)$/i,
    (digest = 'sha1', ...of) => ofParts(digest.toLowerCase(), ...of),
  ],
  // Django. Its salts are texts.
  [
    /^pbkdf2_(sha1|sha256)\$(\d{1,10})\$([^$]+)\$([^$]+)$/,
    (digest, iterations, salt = '', tag) => ofPbkdf2(digest, iterations, utf8(salt), fromBase64(tag)),
  ],
  [
    /^scrypt\$(\d{1,10})\$([^$]+)\$(\d{1,3})\$(\d{1,3})\$([^$]+)$/,
    (n, salt = '', r, p, tag) => ofScrypt([n, r, p], utf8(salt), fromBase64(tag)),
  ],
  // Werkzeug. Its salts are texts too.
  [
    /^pbkdf2:(sha1|sha256|sha512):(\d{1,10})\$([^$]+)\$([\da-f]+)$/,
    (digest, iterations, salt = '', tag) => ofPbkdf2(digest, iterations, utf8(salt), fromHex(tag)),
  ],
  [
    /^scrypt:(\d{1,10}):(\d{1,3}):(\d{1,3})\$([^$]+)\$([\da-f]+)$/,
    (n, r, p, salt = '', tag) => ofScrypt([n, r, p], utf8(salt), fromHex(tag)),
  ],
  [/^([A-Za-z\d+/]{60,400}={0,2})$/, ofAspNet],
];

function ofText(text: string): PasswordHash | undefined {
  const stored = parsePasswordHash(text);
  if (stored !== undefined) return stored;
  for (const [form, read] of readers) {
    const groups = form.exec(text);
    if (groups !== null) return read(...groups.slice(1));
  }
  return undefined;
}

function ofParts(digest?: string, iterations?: string, salt?: string, tag?: string): Pbkdf2Hash | undefined {
  return ofPbkdf2(digest, iterations, fromBase64(salt), fromBase64(tag));
}

function ofPbkdf2(
  digest: unknown,
  iterations: unknown,
  salt: Uint8Array | undefined,
  tag: Uint8Array | undefined,
): Pbkdf2Hash | undefined {
  if (digest !== 'sha1' && digest !== 'sha256' && digest !== 'sha512') return undefined;
  if (salt === undefined || tag === undefined) return undefined;
  return { kind: 'pbkdf2', digest, iterations: Number(iterations), salt, tag };
}

function ofScrypt(
  [n, blockSize, parallelism]: readonly (string | undefined)[],
  salt: Uint8Array,
  tag: Uint8Array | undefined,
): PasswordHash | undefined {
  const exponent = Math.log2(Number(n));
  if (tag === undefined || !Number.isInteger(exponent)) return undefined;
  const cost = { blockSize: Number(blockSize), parallelism: Number(parallelism) };
  return { kind: 'scrypt', exponent, ...cost, salt, tag };
}

/** ASP.NET Core Identity: version 3 names digest and iterations, version 2 has SHA-1 and 1,000 of them. */
function ofAspNet(text: string): PasswordHash | undefined {
  const bytes = Buffer.from(text, 'base64');
  if (bytes[0] === 0 && bytes.length === 49) {
    return ofPbkdf2('sha1', 1000, bytes.subarray(1, 17), bytes.subarray(17));
  }
  if (bytes[0] !== 1 || bytes.length < 13) return undefined;
  const end = 13 + bytes.readUInt32BE(9);
  const digest = ['sha1', 'sha256', 'sha512'][bytes.readUInt32BE(1)];
  return ofPbkdf2(digest, bytes.readUInt32BE(5), bytes.subarray(13, end), bytes.subarray(end));
}

/** `{"secretData": {"value", "salt"}, "credentialData": {"algorithm", "hashIterations", "additionalParameters"}}`, or the two as texts. */
function ofKeycloak(given: unknown): PasswordHash | undefined {
  if (!isObject(given)) return undefined;
  const { value, salt } = member(given, 'secretData');
  const { algorithm, hashIterations, additionalParameters } = member(given, 'credentialData');
  const [saltBytes, tag] = [fromBase64(salt), fromBase64(value)];
  if (saltBytes === undefined || tag === undefined || typeof algorithm !== 'string') return undefined;
  const [, digest = 'sha1'] = /^pbkdf2-?(sha256|sha512)?$/.exec(algorithm) ?? [];
  if (algorithm !== 'argon2') {
    return algorithm.startsWith('pbkdf2') ? ofPbkdf2(digest, hashIterations, saltBytes, tag) : undefined;
  }
  const { type, version, memory, parallelism } = isObject(additionalParameters) ? additionalParameters : {};
  if (first(version) !== '1.3') return undefined;
  const parameters = `m=${first(memory)},t=${hashIterations},p=${first(parallelism)}`;
  const [saltText, tagText] = [saltBytes, tag].map((bytes) =>
    Buffer.from(bytes).toString('base64').replaceAll('=', ''),
  );
  return parsePasswordHash(`$argon2${first(type)}$v=19$${parameters}$${saltText}$${tagText}`);
}

function member(
  credential: Readonly<Record<string, unknown>>,
  name: string,
): Readonly<Record<string, unknown>> {
  const given = credential[name];
  if (isObject(given)) return given;
  try {
    const parsed: unknown = JSON.parse(String(given));
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

/** Keycloak has lists of one text. */
function first(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
}

// What a login may cost: about a second of one core, and 256 MiB.
const maxIterations = 2_000_000;
const maxBcryptCost = 13;
const maxMemory = 262_144;
const maxMemoryTimesPasses = 1_048_576;
const maxScryptExponent = 20;
const maxScryptWork = 2 ** 18;
const minTagLength = 16;
const maxBytes = 128;

/** Why a hash is not taken: it costs each login too much, or it cannot be one. */
function problemOf(hash: PasswordHash): string | undefined {
  const problem = costProblem(hash);
  if (problem !== undefined || hash.kind === 'bcrypt') return problem;
  const leastSalt = hash.kind.startsWith('argon2') ? 8 : 1;
  return (
    outside('the bytes of the salt', hash.salt.length, leastSalt, maxBytes) ??
    outside('the bytes of the hash', hash.tag.length, minTagLength, maxBytes)
  );
}

function costProblem(hash: PasswordHash): string | undefined {
  switch (hash.kind) {
    case 'bcrypt':
      return outside('the cost of bcrypt', hash.cost, 4, maxBcryptCost);
    case 'pbkdf2':
      return outside('the iterations of PBKDF2', hash.iterations, 1, maxIterations);
    case 'scrypt': {
      const { exponent, blockSize, parallelism } = hash;
      return (
        // RFC 7914 §2: N is less than 2^(128 * r / 8).
        outside(
          'N of scrypt, as a power of 2,',
          exponent,
          1,
          Math.min(maxScryptExponent, 16 * blockSize - 1),
        ) ??
        outside('r of scrypt', blockSize, 1, 64) ??
        outside('the memory of scrypt in KiB', (2 ** exponent * blockSize) / 8, 0, maxMemory) ??
        outside('N * r * p / 8 of scrypt', (2 ** exponent * blockSize * parallelism) / 8, 0, maxScryptWork) ??
        outside('p of scrypt', parallelism, 1, 64)
      );
    }
    default: {
      const { memory, passes, parallelism } = hash;
      return (
        outside('the memory of Argon2 in KiB', memory, 8 * parallelism, maxMemory) ??
        outside('memory times passes of Argon2 in KiB', memory * passes, memory, maxMemoryTimesPasses) ??
        outside('the parallelism of Argon2', parallelism, 1, 16)
      );
    }
  }
}

/** A login must not cost more: everybody can begin one. */
function outside(what: string, value: number, least: number, most: number): string | undefined {
  if (value >= least && value <= most) return undefined;
  return `expected ${what} to be ${least} to ${most}, got ${value}; leave the hash out, and the user sets a password`;
}

/** The first block of PBKDF2 alone has all of its strength, and costs a part of the rest. */
function shortened(hash: PasswordHash): PasswordHash {
  if (hash.kind !== 'pbkdf2') return hash;
  return { ...hash, tag: hash.tag.subarray(0, digestLengths[hash.digest]) };
}

function utf8(text: string): Uint8Array {
  return Buffer.from(text, 'utf8');
}

function fromBase64(text: unknown): Uint8Array | undefined {
  if (typeof text !== 'string' || !/^[A-Za-z\d+/.]{1,400}={0,2}$/.test(text)) return undefined;
  return Buffer.from(text.replaceAll('.', '+'), 'base64');
}

function fromHex(text = ''): Uint8Array | undefined {
  return text.length % 2 === 0 ? Buffer.from(text, 'hex') : undefined;
}
