import { KeyManagementError, type Random } from '@watchword/protocol';
import { secretInFile } from '../secret-source.ts';
import { makeFile } from './staged-file.ts';

const keyBytes = 32;

export const sealingKeyForm = '32 bytes in base64';

/** The 32 bytes of a sealing key; `undefined` if the text has another form. */
export function sealingKeyFrom(text: string): Uint8Array | undefined {
  const trimmed = text.trim();
  if (/^[0-9a-fA-F]{64}$/.test(trimmed)) return Buffer.from(trimmed, 'hex');
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return undefined;
  return Buffer.from(trimmed, 'base64');
}

/** The key in a file that the server makes itself; `undefined` if there is none. @throws KeyManagementError */
export async function madeSealingKey(file: string): Promise<Uint8Array | undefined> {
  let text: string;
  try {
    text = await secretInFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new KeyManagementError(
      `The key that seals signing keys cannot be read: ${(error as Error).message}. Give the user of the server the right to read the file, or name another with --signing-key-file.`,
      { cause: error },
    );
  }
  const key = sealingKeyFrom(text);
  if (key !== undefined) return key;
  throw new KeyManagementError(
    `${file} has not the key that seals signing keys: expected ${sealingKeyForm}, got another text. Bring the file back from its copy, or name another with --signing-key-file.`,
  );
}

/** Makes the file with a new key, or reads the one that another process has just made. @throws KeyManagementError */
export async function makeSealingKey(file: string, random: Random): Promise<Uint8Array> {
  const key = Buffer.alloc(keyBytes);
  random.fill(key);
  try {
    if (await makeFile(file, `${key.toString('base64url')}\n`)) return key;
  } catch (error) {
    throw new KeyManagementError(
      `The file ${file} with the key that seals signing keys cannot be made: ${(error as Error).message}. Free space on the disk, give the user of the server the right to write into the folder, or name a file with a key with --signing-key-file; "openssl rand -base64 32" makes a key.`,
      { cause: error },
    );
  }
  return (await madeSealingKey(file)) ?? makeSealingKey(file, random);
}
