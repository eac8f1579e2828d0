import {
  createECDH,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import type { Random } from '@watchword/protocol';
import type { Place } from '@watchword/server';
import { rsaKeys } from './rsa-keys.ts';

type MakeKeyPair = NonNullable<Place['makeKeyPair']>;
type Algorithm = Parameters<MakeKeyPair>[0];
export type KeyPair = Awaited<ReturnType<MakeKeyPair>>;

/** The signing keys of a test server. */
export interface TestKeyPairs {
  make: MakeKeyPair;
  /** All that were made, in order. */
  readonly made: readonly KeyPair[];
}

/** Elliptic curve keys come from the random numbers. RSA keys are those of this package, and further ones are made. */
export function testKeyPairs(random: Random): TestKeyPairs {
  const made: KeyPair[] = [];
  let rsa = 0;
  const keyOf = (algorithm: Algorithm): KeyObject => {
    if (algorithm === 'EdDSA') return ed25519(bytes(random));
    if (algorithm === 'ES256') return p256(bytes(random));
    const kept = rsaKeys[rsa++];
    if (kept === undefined) return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    return createPrivateKey({ key: Buffer.from(kept, 'base64'), format: 'der', type: 'pkcs8' });
  };
  return {
    made,
    async make(algorithm) {
      const privateKey = keyOf(algorithm);
      const pair = {
        publicKey: createPublicKey(privateKey).export({ format: 'jwk' }) as KeyPair['publicKey'],
        privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
      };
      made.push(pair);
      return pair;
    },
  };
}

function bytes(random: Random): Buffer {
  const filled = Buffer.alloc(32);
  random.fill(filled);
  return filled;
}

/** What comes before the 32 bytes of a private key (RFC 8410 §7). */
const ed25519Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

function ed25519(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([ed25519Prefix, seed]), format: 'der', type: 'pkcs8' });
}

function p256(scalar: Buffer): KeyObject {
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(scalar);
  const point = curve.getPublicKey();
  const text = (part: Buffer) => part.toString('base64url');
  const [d, x, y] = [text(scalar), text(point.subarray(1, 33)), text(point.subarray(33))];
  return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', d, x, y }, format: 'jwk' });
}
