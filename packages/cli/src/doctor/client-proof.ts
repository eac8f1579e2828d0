import { createPrivateKey, type KeyObject } from 'node:crypto';
import { isObject, utf8Text } from '@watchword/protocol';
import { boundedFile, placeInWords } from '../command/bounded-file.ts';
import type { Options } from '../command/options.ts';
import { UsageError } from '../command/usage-error.ts';

const limit = { bytes: 20_000, advice: 'name a file with one key, or one token' };

/** What a client without a secret authenticates with, from the files that the options name. @throws UsageError */
export async function clientProofOf({ clientKey, clientAssertion, io }: Options) {
  const textOf = async (file: string) => (utf8Text(await boundedFile(file, io, limit)) ?? '').trim();
  return {
    clientKey: await used(clientKey, async (file) => keyIn(await textOf(file), file)),
    clientAssertion: await used(clientAssertion, async (file) => assertionIn(await textOf(file), file)),
  };
}

function used<Value>(file: unknown, read: (file: string) => Promise<Value>): Promise<Value> | undefined {
  return file === undefined ? undefined : read(String(file));
}

/** No message has a part of the key. */
function keyIn(text: string, file: string): KeyObject {
  try {
    if (!text.startsWith('{')) return createPrivateKey(text);
    const key = JSON.parse(text);
    if (isObject(key)) return createPrivateKey({ key, format: 'jwk' });
  } catch {
    // As for any other text.
  }
  const expected = 'expected a private key without a password, as PEM (PKCS #8) or as a JSON Web Key';
  throw new UsageError(`--client-key: ${placeInWords(file)}: ${expected}`);
}

function assertionIn(text: string, file: string): string {
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)) return text;
  throw new UsageError(`--client-assertion: ${placeInWords(file)}: expected a signed JWT`);
}
