import type { SigningAlgorithm, TokenSigner } from '@watchword/protocol';
import { CompactSign, type CryptoKey, exportJWK, generateKeyPair, type JSONWebKeySet, jwtVerify } from 'jose';

/** A signer with one key for each algorithm, in memory. */
export interface TestSigner extends TokenSigner {
  /** The public keys. */
  jwks(): Promise<JSONWebKeySet>;
}

interface KeyPair {
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
}

// One process makes a key once, because a key of RSA takes a part of a second.
const pairs = new Map<SigningAlgorithm, Promise<KeyPair>>();

export function testSigner(algorithms: readonly SigningAlgorithm[] = ['EdDSA']): TestSigner {
  return {
    algorithms,
    async sign(claims, { algorithm, type }) {
      const { privateKey } = await pairOf(algorithm);
      const payload = claims instanceof Uint8Array ? claims : Buffer.from(JSON.stringify(claims));
      return new CompactSign(payload)
        .setProtectedHeader({ alg: algorithm, kid: algorithm, typ: type })
        .sign(privateKey);
    },
    async verify(text, { type }) {
      for (const algorithm of algorithms) {
        const { publicKey } = await pairOf(algorithm);
        try {
          // The caller checks the times.
          const options = { algorithms: [algorithm], typ: type, currentDate: new Date(0) };
          return (await jwtVerify(text, publicKey, options)).payload;
        } catch {}
      }
      return undefined;
    },
    async jwks() {
      const keys = algorithms.map(async (alg) => {
        const { publicKey } = await pairOf(alg);
        return { ...(await exportJWK(publicKey)), alg, kid: alg, use: 'sig' };
      });
      return { keys: await Promise.all(keys) };
    },
  };
}

function pairOf(algorithm: SigningAlgorithm): Promise<KeyPair> {
  const made = pairs.get(algorithm) ?? generateKeyPair(algorithm, { extractable: true });
  pairs.set(algorithm, made);
  return made;
}
