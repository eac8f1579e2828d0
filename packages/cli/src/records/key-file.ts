import { createPublicKey } from 'node:crypto';
import { isObject, type KeySet, noKeys, utf8Text } from '@watchword/protocol';
import { boundedFile, placeInWords } from '../command/bounded-file.ts';
import type { Io } from '../command/io.ts';
import { UsageError } from '../command/usage-error.ts';

const limit = { bytes: 100_000, advice: 'name the file of the public keys' };
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

function jsonKeys(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return undefined;
    return Array.isArray(value.keys) ? value : { keys: [value] };
  } catch {
    return undefined;
  }
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
