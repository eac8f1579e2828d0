import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
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
