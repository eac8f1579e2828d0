import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { watchword } from '@watchword/server-testkit/processes/process';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { everyAlgorithm, signingNode } from '@watchword/server-testkit/servers/signing-node';
import { rsaKey } from '@watchword/testkit/rsa-key';
import {
  base64url,
  CompactSign,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  type JWTHeaderParameters,
  jwtVerify,
} from 'jose';
import type { Signing } from '../../../src/signing/signing.ts';

const claims = { iss: 'https://id.example.com', sub: 'emma', exp: 4_000_000_000 };
const algorithms = ['RS256', 'ES256', 'EdDSA', 'PS256'] as const;

/** The same bytes, in a text whose last character has other bits that no byte has. */
function otherLastBits(text: string): string {
  const bytes = Buffer.from(text, 'base64url');
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const others = [...alphabet].map((last) => text.slice(0, -1) + last);
  return others.find((each) => each !== text && Buffer.from(each, 'base64url').equals(bytes)) ?? '';
}

/** RFC 8725 §2 names these attacks. */
describe('a JWT that the server did not sign', () => {
  let server: TestServer;
  let signing: Signing;
  before(async () => {
    server = await startServer({ 'signing.algorithms': everyAlgorithm });
    signing = await signingNode(server, { 'signing.algorithms': everyAlgorithm });
    await signing.keySet();
  });
  after(() => server[Symbol.asyncDispose]());

  const good = (algorithm: (typeof algorithms)[number] = 'ES256') =>
    signing.signer.sign(claims, { algorithm, type: 'JWT' });
  const verified = (text: string) => signing.signer.verify(text, { type: 'JWT', keys: 'everSigned' });
  const kidOf = (algorithm: string) =>
    signing.keys.published().find(({ alg }) => alg === algorithm)?.kid ?? '';
  const encoded = (header: object, signature: string) =>
    [base64url.encode(JSON.stringify(header)), base64url.encode(JSON.stringify(claims)), signature].join('.');
  /** Signs as an attacker, with any header. */
  const forged = async (header: JWTHeaderParameters, key: Parameters<CompactSign['sign']>[0]) =>
    new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
      .setProtectedHeader({ typ: 'JWT', ...header })
      .sign(key);

  for (const algorithm of algorithms) {
    it(`JS-1: is told from one of the server, which every client verifies by the JWKS (${algorithm})`, async () => {
      const text = await good(algorithm);
      assert.deepEqual(await verified(text), claims);
      const keySet = createLocalJWKSet(JSON.parse((await server.get('/oauth2/jwks')).text));
      const { payload, protectedHeader } = await jwtVerify(text, keySet, { algorithms: [algorithm] });
      assert.deepEqual(payload, claims);
      assert.deepEqual(protectedHeader, { alg: algorithm, typ: 'JWT', kid: kidOf(algorithm) });
    });

    it(`JS-2: is rejected with alg none, in any case of letters, with and without a signature (${algorithm})`, async () => {
      const [, , signature = ''] = (await good(algorithm)).split('.');
      for (const alg of ['none', 'None', 'NONE', 'nOnE', '']) {
        for (const end of ['', signature]) {
          assert.equal(await verified(encoded({ alg, typ: 'JWT', kid: kidOf(algorithm) }, end)), undefined);
        }
      }
    });

    it(`JS-3: is rejected with HS256 and the public key as the secret, in every form of the key (${algorithm})`, async () => {
      const published = signing.keys.published().find(({ alg }) => alg === algorithm);
      assert.ok(published !== undefined);
      for (const secret of [
        JSON.stringify(published),
        published.n ?? published.x ?? '',
        Buffer.from(published.n ?? published.x ?? '', 'base64url').toString('latin1'),
        JSON.stringify(JSON.parse((await server.get('/oauth2/jwks')).text)),
      ]) {
        for (const alg of ['HS256', 'HS512']) {
          const key = Buffer.alloc(Math.max(64, secret.length), secret);
          assert.equal(await verified(await forged({ alg, kid: published.kid }, key)), undefined);
        }
      }
    });

    it(`JS-4: is rejected by the key of another algorithm, also of the same kind of key (${algorithm})`, async () => {
      const isRsa = algorithm === 'RS256' || algorithm === 'PS256';
      const key = isRsa ? rsaKey('somebody else', 2048) : (await generateKeyPair(algorithm)).privateKey;
      for (const other of algorithms) {
        assert.equal(await verified(await forged({ alg: algorithm, kid: kidOf(other) }, key)), undefined);
      }
      const [, payload, signature] = (await good(algorithm)).split('.');
      for (const alg of ['RS384', 'RS512', 'PS256', 'PS384', 'RS256', 'ES256', 'ES384', 'EdDSA', 'Ed25519']) {
        if (alg === algorithm) continue;
        const header = base64url.encode(JSON.stringify({ alg, typ: 'JWT', kid: kidOf(algorithm) }));
        assert.equal(await verified([header, payload, signature].join('.')), undefined);
      }
    });
  }

  it('JS-5: is rejected with a key of its own in the header, as jwk, jku, x5u or x5c', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(publicKey);
    const asked: string[] = [];
    const original = globalThis.fetch;
    globalThis.fetch = async (url) => {
      asked.push(String(url));
      return Response.json({ keys: [{ ...jwk, kid: 'mine' }] });
    };
    try {
      for (const own of [
        { jwk },
        { jku: `${server.baseUrl}/evil.json` },
        { x5u: `${server.baseUrl}/evil.pem` },
        { x5c: ['MIIB'] },
      ]) {
        for (const kid of ['mine', kidOf('ES256')]) {
          assert.equal(await verified(await forged({ alg: 'ES256', kid, ...own }, privateKey)), undefined);
        }
      }
    } finally {
      globalThis.fetch = original;
    }
    assert.deepEqual(asked, []);
  });

  it('JS-6: is rejected with a kid that is a path, SQL, a name of JavaScript, another type, or none', async () => {
    const empty = Buffer.alloc(64);
    for (const kid of [
      '../../../../dev/null',
      '/dev/null',
      'file:///etc/hostname',
      `${server.database}.key`,
      "x' or '1'='1",
      "x' union select 'key' --",
      '__proto__',
      'constructor',
      'toString',
      '',
      ' ',
      `${kidOf('ES256')} `,
      kidOf('ES256').toUpperCase(),
      'x'.repeat(100_000),
    ]) {
      assert.equal(await verified(await forged({ alg: 'HS256', kid }, empty)), undefined, kid.slice(0, 40));
      assert.equal(await verified(encoded({ alg: 'ES256', typ: 'JWT', kid }, '')), undefined);
    }
    for (const kid of [undefined, null, 7, ['a'], { a: 1 }, true]) {
      assert.equal(await verified(encoded({ alg: 'ES256', typ: 'JWT', kid }, 'AA')), undefined);
    }
  });

  it('JS-7: is rejected with another typ, without typ, and as a nested JWT', async () => {
    const text = await signing.signer.sign(claims, { algorithm: 'ES256', type: 'at+jwt' });
    for (const type of ['JWT', 'logout+jwt', 'revocations+jwt'] as const) {
      assert.equal(await signing.signer.verify(text, { type, keys: 'published' }), undefined);
    }
    assert.deepEqual(await signing.signer.verify(text, { type: 'at+jwt', keys: 'published' }), claims);
  });

  it('JS-8: is rejected when one character of any part is changed, or a part is left out or added', async () => {
    const text = await good('EdDSA');
    const [header = '', payload = '', signature = ''] = text.split('.');
    const flipped = (part: string) => `${part[0] === 'e' ? 'f' : 'e'}${part.slice(1)}`;
    for (const changed of [
      [flipped(header), payload, signature],
      [header, flipped(payload), signature],
      [header, payload, flipped(signature)],
      [header, payload],
      [header, payload, signature, signature],
      [header, '', signature],
      ['', payload, signature],
      [header, payload, ''],
      [header, payload, otherLastBits(signature)],
    ]) {
      assert.equal(await verified(changed.join('.')), undefined, changed.join('.'));
    }
    for (const other of [
      '',
      '.',
      '..',
      '...',
      'x',
      `${text} `,
      ` ${text}`,
      `Bearer ${text}`,
      '{}',
      'é.é.é',
    ]) {
      assert.equal(await verified(other), undefined, other);
    }
  });

  it('JS-9: is rejected with an extension that the server must understand', async () => {
    const { privateKey } = await generateKeyPair('ES256');
    for (const header of [
      { alg: 'ES256', kid: kidOf('ES256'), crit: ['b64'], b64: false },
      { alg: 'ES256', kid: kidOf('ES256'), crit: ['http://example.com/x'], 'http://example.com/x': 1 },
    ]) {
      const text = encoded({ typ: 'JWT', ...header }, 'AA');
      assert.equal(await verified(text), undefined);
    }
    assert.equal(await verified(await forged({ alg: 'ES256', kid: kidOf('ES256') }, privateKey)), undefined);
  });

  it('JS-10: costs no query for each kid that is made up', async () => {
    const { store } = server.service;
    let lists = 0;
    const counting = {
      ...store,
      refreshRegistry: async () => {
        lists += 1;
        return store.refreshRegistry();
      },
    };
    const node = await signingNode({ ...server, service: { store: counting } });
    const texts = Array.from({ length: 200 }, (_, index) =>
      encoded({ alg: 'ES256', typ: 'JWT', kid: `k${index}` }, 'AA'),
    );
    const results = await Promise.all(
      texts.map((text) => node.signer.verify(text, { type: 'JWT', keys: 'published' })),
    );
    assert.ok(results.every((result) => result === undefined));
    assert.ok(lists <= 2, `${lists} reads`);
  });

  it('JS-11: is rejected beside the access token that it is made of, which was verified before', async () => {
    const options = { type: 'at+jwt', keys: 'published' } as const;
    for (const algorithm of algorithms) {
      const text = await signing.signer.sign(claims, { algorithm, type: 'at+jwt' });
      for (let time = 0; time < 3; time += 1) {
        assert.deepEqual(await signing.signer.verify(text, options), claims);
        for (const type of ['JWT', 'logout+jwt', 'revocations+jwt'] as const) {
          assert.equal(await signing.signer.verify(text, { ...options, type }), undefined);
        }
        const [header = '', payload = '', signature = ''] = text.split('.');
        const otherClaims = base64url.encode(JSON.stringify({ ...claims, sub: 'frank' }));
        for (const changed of [
          `${header}.${otherClaims}.${signature}`,
          `${header}.${payload}.`,
          `${header}.${payload}.${otherLastBits(signature)}`,
          `${text} `,
        ]) {
          assert.equal(await signing.signer.verify(changed, options), undefined, changed);
        }
      }
    }
  });

  it('JS-12: is every access token of a key that is compromised, also one that was verified before', async () => {
    await using other = await startServer({ 'signing.algorithms': 'ES256' });
    const node = await signingNode(other, { 'signing.algorithms': 'ES256' });
    const text = await node.signer.sign(claims, { algorithm: 'ES256', type: 'at+jwt' });
    const isAccepted = async (keys: 'published' | 'everSigned') =>
      (await node.signer.verify(text, { type: 'at+jwt', keys })) !== undefined;
    assert.deepEqual([await isAccepted('published'), await isAccepted('published')], [true, true]);
    const [{ kid } = { kid: '' }] = node.keys.published();
    const { code, stderr } = await watchword([
      ...['keys', 'retire', kid, '--compromised', '--yes', '--database', other.database],
    ]);
    assert.equal(code, 0, stderr);
    await other.service.store.refreshRegistry();
    await node.keys.read();
    assert.deepEqual([await isAccepted('published'), await isAccepted('everSigned')], [false, false]);
  });
});
