import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CompactSign, exportJWK, generateKeyPair, type JWK } from 'jose';
import { importPublicKey, readPublicJwk, type SignatureAlgorithm } from '../src/public-key.ts';
import { nodeCheck, webCheck } from '../src/signature.ts';

const curves = ['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'] as const;

const imported = (jwk: JWK, algorithm: SignatureAlgorithm) =>
  importPublicKey(readPublicJwk(jwk, algorithm), algorithm);

/** A JWT, and both checks of its key. */
async function signed(algorithm: SignatureAlgorithm) {
  const { privateKey, publicKey } = await generateKeyPair(algorithm);
  const content = new TextEncoder().encode('{"jti":"a"}');
  const jwt = await new CompactSign(content).setProtectedHeader({ alg: algorithm }).sign(privateKey);
  const key = await imported(await exportJWK(publicKey), algorithm);
  return { jwt, key, checks: { node: nodeCheck(key, algorithm), web: webCheck(key, algorithm) } };
}

/** Signatures that are none, by what is wrong with them. */
function wrong(jwt: string, other: string): Record<string, string> {
  const [header, payload, signature = ''] = jwt.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  const of = (changed: Uint8Array) => `${header}.${payload}.${Buffer.from(changed).toString('base64url')}`;
  const flipped = Buffer.from(bytes);
  flipped[10] = (flipped[10] ?? 0) ^ 1;
  return {
    'one bit': of(flipped),
    'a byte less': of(bytes.subarray(0, -1)),
    'a byte more': of(Buffer.concat([bytes, Buffer.alloc(1)])),
    zeros: of(Buffer.alloc(bytes.length)),
    'another payload': `${header}.e30.${signature}`,
    'of another key': `${header}.${payload}.${other.split('.')[2]}`,
    'an impossible length': `${header}.${payload}.A`,
  };
}

describe('the signature of a JWT', () => {
  for (const algorithm of curves) {
    it(`is the same for node:crypto and for WebCrypto: ${algorithm}`, async () => {
      const [{ jwt, checks }, other] = await Promise.all([signed(algorithm), signed(algorithm)]);
      for (const [platformName, check] of Object.entries(checks)) {
        assert.equal(await check?.(jwt), true, `${platformName} accepts it`);
        for (const [name, text] of Object.entries(wrong(jwt, other.jwt))) {
          assert.equal(await check?.(text), false, `${platformName} refuses: ${name}`);
        }
      }
    });
  }

  it('is by WebCrypto for RSA, and where the platform is not Node.js', async () => {
    const rsa = await signed('PS256');
    assert.equal(rsa.checks.node, undefined);
    assert.equal(await rsa.checks.web(rsa.jwt), true);
    const { key } = await signed('ES256');
    for (const userAgent of ['', 'Deno/2.5', 'Bun/1.3', 'Cloudflare-Workers', 'Mozilla/5.0']) {
      assert.equal(nodeCheck(key, 'ES256', userAgent), undefined, userAgent);
    }
  });
});
