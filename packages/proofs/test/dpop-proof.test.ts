import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { DpopKey, type ProofParts } from '@watchword/testkit/dpop-key';
import { publicRsaJwk } from '@watchword/testkit/rsa-key';
import { SignJWT } from 'jose';
import {
  dpopAlgorithms,
  dpopWindow,
  ProofError,
  type ProofRule,
  type ProvenRequest,
  proofRules,
  verifyDpopProof,
} from '../src/index.ts';

const url = 'https://api.example.org/orders';
const seconds = Math.floor(Date.now() / 1000);
const now = seconds * 1000;

let key: DpopKey;
before(async () => {
  key = await DpopKey.create();
});

const proofOf = (parts: Partial<ProofParts> = {}) =>
  key.proof({ url, ...parts, claims: { iat: seconds, ...parts.claims } });

const verify = (proof: string, request: Partial<ProvenRequest> = {}) =>
  verifyDpopProof(proof, { method: 'GET', url, now, ...request });

async function refusal(proof: string, request?: Partial<ProvenRequest>): Promise<ProofError> {
  const error = await verify(proof, request).then(
    () => assert.fail('expected a refusal, and the proof was accepted'),
    (found) => found,
  );
  assert.ok(error instanceof ProofError, `expected a ProofError, got ${error}`);
  assert.match(error.message, /^[ !#-[\]-~]+$/, 'a message fits into a header');
  return error;
}

const refuses = async (rule: ProofRule, parts: Partial<ProofParts>, request?: Partial<ProvenRequest>) => {
  const error = await refusal(await proofOf(parts), request);
  assert.equal(error.rule, rule, `${error.message}`);
};

/** A proof whose parts are as given, with the signature of another one. */
async function madeOf(header: unknown, claims: unknown): Promise<string> {
  const [, , signature] = (await proofOf()).split('.');
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part(header)}.${part(claims)}.${signature}`;
}

describe('a DPoP proof', () => {
  it('names its key, its identifier, and until when it must not come again', async () => {
    const proof = await proofOf({ claims: { jti: 'a' } });
    assert.deepEqual(await verify(proof), {
      jkt: key.jkt,
      jti: 'a',
      issuedAt: now,
      usableUntil: now + dpopWindow,
    });
  });

  it('is signed by each algorithm of the list', async () => {
    for (const algorithm of dpopAlgorithms) {
      const other = await DpopKey.create(algorithm);
      const { jkt } = await verify(await other.proof({ url }));
      assert.equal(jkt, other.jkt, algorithm);
    }
  });

  it('has an algorithm that the caller allows, also if another caller has seen the key', async () => {
    await verify(await proofOf());
    await refuses('algorithm', {}, { algorithms: ['EdDSA', 'PS256'] });
  });

  it('names no algorithm without a key of its own: none, or a shared secret', async () => {
    const claims = { htm: 'GET', htu: url, iat: seconds, jti: 'a' };
    for (const alg of ['none', 'HS256', 'dir', 'constructor', undefined, 1]) {
      const error = await refusal(await madeOf({ typ: 'dpop+jwt', alg, jwk: key.jwk }, claims));
      assert.equal(error.rule, 'algorithm', `${alg}: ${error.message}`);
    }
    const secret = new TextEncoder().encode(JSON.stringify(key.jwk));
    const jwt = new SignJWT(claims).setProtectedHeader({ typ: 'dpop+jwt', alg: 'HS256', jwk: key.jwk });
    assert.equal((await refusal(await jwt.sign(secret))).rule, 'algorithm');
  });

  it('has no secret in its key', async () => {
    for (const name of ['d', 'k', 'p', 'oth', 'priv']) {
      await refuses('key', { header: { jwk: { ...key.jwk, [name]: 'secret' } } });
    }
    const error = await refusal(await proofOf({ header: { jwk: { ...key.jwk, d: 'secret' } } }));
    assert.doesNotMatch(error.message, /secret'|"secret"/);
  });

  it('has a key of the kind and size that its algorithm needs', async () => {
    for (const jwk of [
      undefined,
      null,
      'text',
      [],
      {},
      { ...key.jwk, crv: 'P-384' },
      { ...key.jwk, kty: 'RSA' },
      { ...key.jwk, kty: 'constructor' },
      { ...key.jwk, x: 'A'.repeat(500) },
      { ...key.jwk, y: undefined },
      { ...key.jwk, y: key.jwk.x },
      publicRsaJwk(2048),
    ]) {
      const error = await refusal(
        await madeOf(
          { typ: 'dpop+jwt', alg: 'ES256', jwk },
          { htm: 'GET', htu: url, iat: seconds, jti: 'a' },
        ),
      );
      assert.equal(error.rule, 'key', `${JSON.stringify(jwk)}: ${error.message}`);
    }
    for (const jwk of [
      publicRsaJwk(1024),
      publicRsaJwk(4224),
      { ...publicRsaJwk(2048), e: 'A'.repeat(300) },
    ]) {
      const claims = { htm: 'GET', htu: url, iat: seconds, jti: 'a' };
      const error = await refusal(await madeOf({ typ: 'dpop+jwt', alg: 'PS256', jwk }, claims));
      assert.match(error.rule, /^(?:key|signature)$/, error.message);
    }
  });

  it('is signed by the key of its header', async () => {
    const other = await DpopKey.create();
    await refuses('signature', { header: { jwk: other.jwk } });
    const [header, , signature] = (await proofOf()).split('.');
    const [, payload] = (await proofOf()).split('.');
    assert.equal((await refusal(`${header}.${payload}.${signature}`)).rule, 'signature');
  });

  it('has the type dpop+jwt', async () => {
    for (const typ of ['JWT', 'at+jwt', undefined, 1, 'dpop+jwt2'])
      await refuses('type', { header: { typ } });
    await verify(await proofOf({ header: { typ: 'application/dpop+jwt' } }));
  });

  it('is one JWT that no reader can take for another one', async () => {
    const proof = await proofOf();
    for (const text of [
      '',
      'a',
      'a.b',
      `${proof},${proof}`,
      `${proof}.`,
      ` ${proof}`,
      `${proof}=`,
      proof.replace('.', '..'),
      `e30.${'A'.repeat(9000)}.AA`,
      'AAAA.AAAA.AAAA',
      'W10.W10.W10',
    ]) {
      assert.equal((await refusal(text)).rule, 'form', text.slice(0, 40));
    }
    const extended = await madeOf({ typ: 'dpop+jwt', alg: 'ES256', jwk: key.jwk, crit: ['b64'] }, {});
    assert.equal((await refusal(extended)).rule, 'form');
  });

  it('is for the method of the request', async () => {
    await refuses('method', { method: 'POST' });
    await refuses('method', { method: 'get' });
    await refuses('method', { claims: { htm: undefined } });
  });

  it('is for the URL of the request', async () => {
    for (const htu of [
      'https://api.example.org/order',
      'https://api.example.org/orders/',
      'http://api.example.org/orders',
      'https://api.example.org:8443/orders',
      'https://other.example.org/orders',
      'https://user@api.example.org/orders',
      'https://other.example.org\\@api.example.org/orders',
      'https://api.example.org/orders%2F',
      '/orders',
      'orders',
      '',
      undefined,
      ['https://api.example.org/orders'],
    ]) {
      await refuses('url', { claims: { htu } });
    }
  });

  it('is for each spelling of the URL, without query and fragment', async () => {
    for (const [htu, asked] of [
      ['HTTPS://API.example.org:443/orders', url],
      ['https://api.example.org/%6frders', url],
      ['https://api.example.org/a/../orders', url],
      ['https://api.example.org/orders?page=1#top', url],
      [url, `${url}?page=2`],
      ['https://api.example.org', 'https://api.example.org/'],
      ['https://api.example.org/a%2fb', 'https://api.example.org/a%2Fb'],
    ] as const) {
      await verify(await proofOf({ claims: { htu } }), { url: asked });
    }
    await verify(await proofOf(), { url: ['https://other.example.org/orders', url] });
    await refuses('url', {}, { url: [] });
  });

  it('is made within a minute of now, in either direction, or what the caller allows', async () => {
    const at = (iat: unknown) => ({ claims: { iat } });
    await verify(await proofOf(at(seconds - 60)));
    await verify(await proofOf(at(seconds + 60)));
    for (const iat of [seconds - 61, seconds + 61, 0, -1, 1e300, undefined, String(seconds), null]) {
      await refuses('time', at(iat));
    }
    await refuses('time', at(seconds - 6), { window: 5000 });
    const { issuedAt } = await verify(await proofOf(at(0)), { window: Number.POSITIVE_INFINITY });
    assert.equal(issuedAt, 0, 'the caller that allows any time gets it');
    const { message } = await refusal(await proofOf(at('x')), { window: Number.POSITIVE_INFINITY });
    assert.doesNotMatch(message, /Infinity/);
  });

  it('has an identifier that can be stored', async () => {
    for (const jti of [undefined, '', 1, 'a'.repeat(257)]) await refuses('id', { claims: { jti } });
    await verify(await proofOf({ claims: { jti: 'a'.repeat(256) } }));
  });

  it('is for the access token of the request', async () => {
    await verify(await proofOf({ accessToken: 'token' }), { accessToken: 'token' });
    await refuses('token', { accessToken: 'other' }, { accessToken: 'token' });
    await refuses('token', {}, { accessToken: 'token' });
  });

  it('has a nonce that the caller accepts, where the caller asks for one', async () => {
    const isNonce = async (nonce: string) => nonce === 'good';
    await verify(await proofOf({ nonce: 'good' }), { isNonce });
    await refuses('nonce', { nonce: 'bad' }, { isNonce });
    await refuses('nonce', {}, { isNonce });
    await refuses('nonce', { claims: { nonce: ['good'] } }, { isNonce });
    assert.equal((await verify(await proofOf({ nonce: 'any' }))).nonce, 'any');
  });

  it('is asked for its nonce last, so that only a good proof learns that one is missing', async () => {
    const other = await DpopKey.create();
    await refuses('signature', { header: { jwk: other.jwk } }, { isNonce: () => false });
  });

  it('is refused by a rule of the list, with what was expected and what came', async () => {
    const error = await refusal(await proofOf({ method: 'POST' }));
    assert.equal(error.expected, `${proofRules.method}: GET`);
    assert.equal(error.came, 'POST');
  });
});
