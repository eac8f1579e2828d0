import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ClientKey } from '@watchword/testkit/client-key';
import { DpopKey } from '@watchword/testkit/dpop-key';
import { publicRsaJwk } from '@watchword/testkit/rsa-key';
import { SignJWT } from 'jose';
import { type SignatureAlgorithm, signatureAlgorithms } from '../src/public-key.ts';
import { nodeCheck, webCheck } from '../src/signature.ts';

/** A JWT, the same one by another key, and both checks of the first key. */
async function signed(algorithm: SignatureAlgorithm) {
  const [key, otherKey] = [await ClientKey.create(algorithm), await DpopKey.create(algorithm)];
  const checks = { node: nodeCheck(key.jwk, algorithm), web: await webCheck(key.jwk, algorithm) };
  const other = new SignJWT({ jti: 'a' }).setProtectedHeader({ alg: algorithm }).sign(otherKey.privateKey);
  return { jwt: await key.sign({ jti: 'a' }), other: await other, jwk: key.jwk, checks };
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
  for (const algorithm of signatureAlgorithms) {
    it(`is the same for node:crypto and for WebCrypto: ${algorithm}`, async () => {
      const { jwt, other, checks } = await signed(algorithm);
      for (const [platformName, check] of Object.entries(checks)) {
        assert.equal(await check?.(jwt), true, `${platformName} accepts it`);
        for (const [name, text] of Object.entries(wrong(jwt, other))) {
          assert.equal(await check?.(text), false, `${platformName} refuses: ${name}`);
        }
      }
    });
  }

  it('is by WebCrypto where the platform is not Node.js', async () => {
    const { jwk } = await signed('ES256');
    for (const userAgent of ['', 'Deno/2.5', 'Bun/1.3', 'Cloudflare-Workers', 'Mozilla/5.0']) {
      assert.equal(nodeCheck(jwk, 'ES256', userAgent), undefined, userAgent);
    }
  });

  it('has an answer of its own, also when many are verified together', async () => {
    const [good, rsa] = await Promise.all([signed('ES256'), signed('PS256')]);
    const wrongTexts = Object.values(wrong(good.jwt, good.other));
    const some = [good.jwt, 'no JWT', ...wrongTexts, good.jwt, `${good.jwt}.`, ...wrongTexts, good.jwt];
    const texts = Array.from({ length: 4 }, () => some).flat();
    const answers = texts.map((text) => good.checks.node?.(text));
    const others = [rsa.checks.node?.(rsa.jwt), rsa.checks.node?.(good.jwt)];
    assert.deepEqual(
      await Promise.all(answers),
      texts.map((text) => text === good.jwt),
    );
    assert.deepEqual(await Promise.all(others), [true, false]);
  });

  it('is of no RSA key that is too small', () => {
    for (const algorithm of ['RS256', 'PS256'] as const) {
      assert.throws(() => nodeCheck(publicRsaJwk(1024), algorithm), /at least 2048 bits, got 1024/);
    }
  });
});
