import { constants, createPrivateKey, type KeyObject, randomUUID, sign } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import {
  type KeyManagement,
  type KeyManagementOptions,
  pathProblem,
  type SigningAlgorithm,
} from '@watchword/protocol';
import { secretInFile } from '../../secret-source.ts';
import { makeKeyPair, pairOf } from '../key-pairs.ts';
import { makeFile } from '../staged-file.ts';

// Not an import, which would load every part of it (docs/adr/0083).
const { promisify } = process.getBuiltinModule('node:util');

const signInPool = promisify(sign);

/**
 * Holds private keys as PEM files in a folder, outside of the database and of its backups. Several nodes share the folder.
 *
 * @throws Error if the options are not `{ directory }`
 */
export async function fileKms({ settings }: KeyManagementOptions): Promise<KeyManagement> {
  const { directory, ...others } = settings;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new Error(`"${unknown}" is not an option; the option is directory`);
  if (typeof directory !== 'string' || !isAbsolute(directory)) {
    throw new Error('the option directory must be the absolute path of a folder for private keys');
  }
  const problem = pathProblem(directory);
  if (problem !== undefined) throw new Error(`the option directory must be the path of a folder; ${problem}`);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const keys = new Map<string, KeyObject>();
  const find = async (reference: string) => {
    const known = keys.get(reference);
    if (known !== undefined) return known;
    const key = createPrivateKey(await readOwn(fileOf(directory, reference)));
    keys.set(reference, key);
    return key;
  };
  return {
    name: 'file',
    async create(algorithm) {
      const reference = randomUUID();
      const { privateKey } = await makeKeyPair(algorithm);
      await makeFile(fileOf(directory, reference), privateKey);
      return reference;
    },
    publicKey: async (reference) => pairOf(await find(reference)).publicKey,
    async sign(reference, algorithm, data) {
      const key = await find(reference);
      return signInPool(algorithm === 'EdDSA' ? null : 'sha256', data, { key, ...parameters[algorithm] });
    },
    async remove(reference) {
      keys.delete(reference);
      await rm(fileOf(directory, reference), { force: true });
    },
  };
}

/** RFC 7518 §3.4 and §3.5. */
const parameters: Readonly<Record<SigningAlgorithm, object>> = {
  RS256: {},
  PS256: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
  ES256: { dsaEncoding: 'ieee-p1363' },
  EdDSA: {},
};

/** A reference never leads out of the folder. */
function fileOf(directory: string, reference: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/.test(reference)) {
    throw new Error('a reference has 1 to 64 letters, digits and hyphens, and begins with a letter or digit');
  }
  return join(directory, `${reference}.pem`);
}

async function readOwn(file: string): Promise<string> {
  const { mode } = await stat(file);
  if ((mode & 0o077) !== 0) {
    throw new Error(`other users can use ${file}: expected the mode 600; run chmod 600 on it`);
  }
  return secretInFile(file);
}
