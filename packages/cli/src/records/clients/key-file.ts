import { createPublicKey } from 'node:crypto';
import { type AssertionIssuer, isObject, type KeySet, noKeys, utf8Text } from '@watchword/protocol';
import { boundedFile, placeInWords } from '../../command/bounded-file.ts';
import type { Io } from '../../command/io.ts';
import { UsageError } from '../../command/usage-error.ts';

const limit = { bytes: 100_000, advice: 'name a file of public keys, or of issuers' };
const expected =
  'expected public keys: as PEM (openssl pkey -in PRIVATE -pubout), as a JSON Web Key, or as a set of these {"keys": [...]}';

/**
 * The public keys in a file; the empty text is no file and no keys. The rules of clients say what is wrong with a key.
 *
 * @throws UsageError
 */
export async function keysOfFile(file: string, io: Pick<Io, 'stdin'>): Promise<KeySet> {
  if (file === '') return noKeys;
  const text = utf8Text(await boundedFile(file, io, limit)) ?? '';
  const keys = text.includes('-----BEGIN') ? pemKeys(text) : jsonKeys(text);
  if (keys === undefined) throw new UsageError(`--jwks: ${placeInWords(file)}: ${expected}`);
  return keys as KeySet;
}

/** The assertion issuers in a file of JSON; the empty text is none. @throws UsageError */
export async function issuersOfFile(
  file: string,
  io: Pick<Io, 'stdin'>,
): Promise<readonly AssertionIssuer[]> {
  if (file === '') return [];
  const text = utf8Text(await boundedFile(file, io, limit)) ?? '';
  const issuers = jsonOf(text);
  if (!Array.isArray(issuers))
    throw new UsageError(
      `--assertion-issuers: ${placeInWords(file)}: expected a list in JSON: [{ "issuer", "audience", "subject", "jwksUri" or "jwks" }]`,
    );
  return issuers;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function jsonKeys(text: string): object | undefined {
  const value = jsonOf(text);
  if (!isObject(value)) return undefined;
  return Array.isArray(value.keys) ? value : { keys: [value] };
}

/** A private key has a public half: it is not taken, because it would stay where the public one is looked for. */
function pemKeys(text: string): object | undefined {
  const blocks = text.match(/-----BEGIN (?:PUBLIC KEY|CERTIFICATE)-----[^-]+-----END [A-Z ]+-----/g) ?? [];
  if (blocks.length === 0 || text.includes('PRIVATE KEY')) return undefined;
  try {
    return { keys: blocks.map((block) => createPublicKey(block).export({ format: 'jwk' })) };
  } catch {
    return undefined;
  }
}
