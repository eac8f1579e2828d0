import { createReadStream } from 'node:fs';
import { notUtf8, utf8Text } from '@watchword/protocol';

// Bytes, far more than secrets can have: a large file that is named or piped by mistake is not read completely.
const maxInput = 16_384;

/** Why a source of a secret cannot be used. The message completes "…: " and has no part of the content. */
export class SecretSourceError extends Error {
  override readonly name = 'SecretSourceError';
}

/** The text of standard input that has a secret, without a byte order mark. @throws SecretSourceError */
export async function secretIn(input: AsyncIterable<Buffer | string>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > maxInput) throw new SecretSourceError(`expected a secret, got more than ${maxInput} bytes`);
    chunks.push(bytes);
  }
  const text = utf8Text(Buffer.concat(chunks));
  if (text === undefined) throw new SecretSourceError(notUtf8);
  return text;
}

/** The same of a file. @throws SecretSourceError, or the error of the file system */
export function secretInFile(file: string): Promise<string> {
  return secretIn(createReadStream(file));
}
