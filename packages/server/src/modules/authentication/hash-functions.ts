import { type Argon2Parameters, argon2, createHash, pbkdf2, scrypt, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Argon2Hash, BcryptHash, PasswordHash, ScryptHash } from '@watchword/accounts';

/** Whether a hash is of this text. The work is done in another thread than the one that answers requests. */
export async function isHashOf(text: string, hash: PasswordHash): Promise<boolean> {
  if (hash.kind === 'bcrypt') return isBcryptOf(text, hash);
  return timingSafeEqual(await tagOf(text, hash), hash.tag);
}

function tagOf(text: string, hash: Exclude<PasswordHash, BcryptHash>): Promise<Uint8Array> {
  const { salt, tag } = hash;
  if (hash.kind !== 'pbkdf2' && hash.kind !== 'scrypt') return argon2Tag(text, hash);
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, found: Uint8Array) =>
      error === null ? resolve(found) : reject(error);
    if (hash.kind === 'pbkdf2') pbkdf2(text, salt, hash.iterations, tag.length, hash.digest, done);
    else scrypt(text, salt, tag.length, scryptOptions(hash), done);
  });
}

/** @param hash whose tag has the length of the result */
export function argon2Tag(message: string, { kind, salt, tag, ...cost }: Argon2Hash): Promise<Uint8Array> {
  const parameters: Argon2Parameters = { ...cost, message, nonce: salt, tagLength: tag.length };
  return new Promise((resolve, reject) => {
    argon2(kind, parameters, (error, found) => (error === null ? resolve(found) : reject(error)));
  });
}

function scryptOptions({ exponent, blockSize, parallelism }: ScryptHash) {
  const rounds = 2 ** exponent;
  // What OpenSSL reserves; it refuses more than 32 MiB otherwise.
  const maxmem = 128 * blockSize * (rounds + 2 + parallelism);
  return { N: rounds, r: blockSize, p: parallelism, maxmem };
}

async function isBcryptOf(text: string, { text: hash, isOfDigest }: BcryptHash): Promise<boolean> {
  const password = isOfDigest ? createHash('sha256').update(text).digest('hex') : text;
  const worker = new Worker(fileURLToPath(import.meta.resolve('#bcrypt-thread')), {
    execArgv: [],
    workerData: { password, hash },
  });
  const [isSame] = await once(worker, 'message');
  return isSame === true;
}
