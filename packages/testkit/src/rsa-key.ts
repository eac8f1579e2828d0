import { createPrivateKey, generateKeyPairSync, type KeyObject, randomFillSync } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const directory = fileURLToPath(new URL('../../../node_modules/.cache/test-keys/', import.meta.url));
const keys = new Map<string, KeyObject>();

/**
 * The private RSA key of this name and size. It is kept for later runs, because finding the primes takes longer than most tests.
 */
export function rsaKey(name: string, bits: number): KeyObject {
  const id = `${encodeURIComponent(name)}-${bits}`;
  const key = keys.get(id) ?? keptKey(id) ?? newKey(id, bits);
  keys.set(id, key);
  return key;
}

/** A public RSA key of this size. It signs nothing: its modulus is random, because finding the primes of a large one takes a second. */
export function publicRsaJwk(bits: number): { readonly kty: 'RSA'; readonly n: string; readonly e: string } {
  const modulus = randomFillSync(Buffer.alloc(bits / 8));
  modulus.writeUInt8(modulus.readUInt8(0) | 0x80, 0);
  modulus.writeUInt8(modulus.readUInt8(modulus.length - 1) | 1, modulus.length - 1);
  return { kty: 'RSA', n: modulus.toString('base64url'), e: 'AQAB' };
}

function keptKey(id: string): KeyObject | undefined {
  try {
    return createPrivateKey(readFileSync(`${directory}${id}.pem`));
  } catch {
    return undefined;
  }
}

function newKey(id: string, modulusLength: number): KeyObject {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength });
  mkdirSync(directory, { recursive: true });
  // Another process can make the same one: whoever reads gets one of them as a whole.
  const unfinished = `${directory}${id}.${process.pid}`;
  writeFileSync(unfinished, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  renameSync(unfinished, `${directory}${id}.pem`);
  return privateKey;
}
