import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { testKey } from '@watchword/testkit/certificate';
import { DpopKey, type ProofParts } from '@watchword/testkit/dpop-key';
import {
  AccessError,
  createGuard,
  type GuardedRequest,
  type TokenVerifierOptions,
  type UsedProofs,
} from '../../src/index.ts';
import { ProofMemory } from '../../src/possession/used-proofs.ts';
import { dpopClient, type FakeVerifier, fakeVerifier } from '../../src/testing.ts';
import { answerWith, emma } from '../support/authorization-server.ts';
import { startVerifier } from '../support/verifier.ts';

const publicUrl = 'https://api.example/v1';
const url = `${publicUrl}/orders`;

let key: DpopKey;
before(async () => {
  key = await DpopKey.create();
});

type Options = Pick<TokenVerifierOptions, 'publicUrl' | 'resource' | 'dpop'>;

/** An API with a token of the client. */
function start(options: Options = { publicUrl }) {
  const verifier = fakeVerifier(options);
  const token = verifier.issue({ cnf: { jkt: key.jkt } });
  return { verifier, token, guard: createGuard(verifier) };
}

/** A request as the API sees it, behind a proxy that has taken the prefix away. */
const requestWith = (dpop: string | undefined, at = 'http://10.0.0.1:3000/orders?page=1') =>
  new Request(at, { headers: dpop === undefined ? {} : { dpop } });

async function refusal(
  guard: FakeGuard,
  authorization: string,
  request?: GuardedRequest,
): Promise<AccessError> {
  const error = await guard(authorization, request).then(
    () => assert.fail(`expected a refusal of ${authorization.slice(0, 10)}`),
    (found) => found,
  );
  assert.ok(error instanceof AccessError, `expected an AccessError, got ${error}`);
  return error;
}

type FakeGuard = ReturnType<typeof createGuard>;

describe('a token that is bound to a key', () => {
  it('is accepted with a proof of the client, for the URL that clients know', async () => {
    const { guard, token } = start();
    const proof = await key.proof({ url, accessToken: token });
    assert.deepEqual((await guard(`DPoP ${token}`, requestWith(proof))).cnf, { jkt: key.jkt });
    const byNode = {
      method: 'GET',
      url: '/orders',
      headers: { dpop: await key.proof({ url, accessToken: token }) },
    };
    await guard(`dpop ${token}`, byNode);
  });

  it('is refused without a proof of this request by this key', async () => {
    const { guard, token, verifier } = start();
    const other = await DpopKey.create();
    const otherToken = verifier.issue({ cnf: { jkt: key.jkt } });
    const now = Math.floor(Date.now() / 1000);
    const secret = { ...key.jwk, d: 'secret' };
    for (const [what, proof, code, reason] of [
      ['none', undefined, 'invalid_dpop_proof', 'missing'],
      ['text', 'proof', 'invalid_dpop_proof', 'form'],
      ['a huge one', `${'A'.repeat(20_000)}.e30.AA`, 'invalid_dpop_proof', 'form'],
      ['another method', { method: 'POST' }, 'invalid_dpop_proof', 'method'],
      ['another path', { url: `${publicUrl}/invoices` }, 'invalid_dpop_proof', 'url'],
      ['the address behind the proxy', { url: 'http://10.0.0.1:3000/orders' }, 'invalid_dpop_proof', 'url'],
      ['another server', { url: 'https://evil.example/v1/orders' }, 'invalid_dpop_proof', 'url'],
      ['another token', { accessToken: otherToken }, 'invalid_dpop_proof', 'token'],
      ['the past', { claims: { iat: now - 70 } }, 'invalid_dpop_proof', 'time'],
      ['the future', { claims: { iat: now + 70 } }, 'invalid_dpop_proof', 'time'],
      ['no identifier', { claims: { jti: undefined } }, 'invalid_dpop_proof', 'id'],
      ['a secret key', { header: { jwk: secret } }, 'invalid_dpop_proof', 'key'],
      ['another signature', { header: { jwk: other.jwk } }, 'invalid_dpop_proof', 'signature'],
    ] as const) {
      const sent =
        typeof proof === 'object'
          ? await key.proof({ url, accessToken: token, ...(proof as Partial<ProofParts>) })
          : proof;
      const error = await refusal(guard, `DPoP ${token}`, requestWith(sent));
      assert.deepEqual([error.status, error.code, Object(error).reason], [401, code, reason], what);
      const challenge = error.headers['www-authenticate'] ?? '';
      assert.match(
        challenge,
        /^DPoP realm="api", error="invalid_dpop_proof", error_description="[^"]+", algs="ES256 /,
      );
    }
    const proof = await other.proof({ url, accessToken: token });
    const error = await refusal(guard, `DPoP ${token}`, requestWith(proof));
    assert.deepEqual(
      [error.code, Object(error).reason],
      ['invalid_token', 'bound'],
      'the key of another client',
    );
  });

  it('is refused with a proof of alg none or of a shared secret', async () => {
    const { guard, token } = start();
    const [, payload = ''] = (await key.proof({ url, accessToken: token })).split('.');
    for (const alg of ['none', 'HS256']) {
      const header = Buffer.from(JSON.stringify({ typ: 'dpop+jwt', alg, jwk: key.jwk })).toString(
        'base64url',
      );
      const error = await refusal(guard, `DPoP ${token}`, requestWith(`${header}.${payload}.AAAA`));
      assert.equal(Object(error).reason, 'algorithm');
    }
  });

  it('is refused as Bearer, and one that is not bound as DPoP', async () => {
    const { guard, token, verifier } = start();
    const proof = await key.proof({ url, accessToken: token });
    const bound = await refusal(guard, `Bearer ${token}`, requestWith(proof));
    assert.deepEqual([bound.code, Object(bound).reason], ['invalid_token', 'bound']);
    assert.match(bound.headers['www-authenticate'] ?? '', /^DPoP .*algs=/);
    const plain = verifier.issue();
    const itsProof = await key.proof({ url, accessToken: plain });
    const unbound = await refusal(guard, `DPoP ${plain}`, requestWith(itsProof));
    assert.deepEqual([unbound.code, Object(unbound).reason], ['invalid_token', 'unbound']);
  });

  it('needs a new proof for each request, though its token info is cached', async () => {
    const { guard, token } = start();
    const proof = await key.proof({ url, accessToken: token });
    await guard(`DPoP ${token}`, requestWith(proof));
    const error = await refusal(guard, `DPoP ${token}`, requestWith(proof));
    assert.deepEqual([error.code, Object(error).reason], ['invalid_dpop_proof', 'replay']);
    await guard(`DPoP ${token}`, requestWith(await key.proof({ url, accessToken: token })));
  });

  it('needs one proof for several guards of a request, and none of them takes another one', async () => {
    const { verifier, token } = start();
    const guards = [createGuard(verifier), createGuard(verifier, { realm: 'orders' })];
    const request = requestWith(await key.proof({ url, accessToken: token }));
    for (const guard of guards) await guard(`DPoP ${token}`, request);
    request.headers.set('dpop', await key.proof({ url, accessToken: 'other' }));
    for (const guard of guards)
      assert.equal(Object(await refusal(guard, `DPoP ${token}`, request)).reason, 'token');
  });

  it('of two requests with one proof at the same time, one is accepted', async () => {
    const { guard, token } = start();
    const proof = await key.proof({ url, accessToken: token });
    const answers = await Promise.allSettled(
      Array.from({ length: 5 }, () => guard(`DPoP ${token}`, requestWith(proof))),
    );
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  it('is refused where nothing is known of the request', async () => {
    const { guard, token } = start();
    assert.equal(Object(await refusal(guard, `DPoP ${token}`)).reason, 'bound');
  });

  it('is refused if it is bound to what is unknown here', async () => {
    const { guard, verifier } = start();
    const token = verifier.issue({ cnf: {} });
    const proof = await key.proof({ url, accessToken: token });
    for (const scheme of ['Bearer', 'DPoP']) {
      assert.equal(Object(await refusal(guard, `${scheme} ${token}`, requestWith(proof))).reason, 'bound');
    }
  });

  it('is refused by a verifier that checks no proofs', async () => {
    const { verifier, token } = start();
    const guard = createGuard({ verify: (text) => verifier.verify(text) });
    const proof = await key.proof({ url, accessToken: token });
    assert.equal(Object(await refusal(guard, `DPoP ${token}`, requestWith(proof))).reason, 'bound');
  });
});

describe('a token that is bound to a certificate', () => {
  const { certificateBase64 } = testKey('client', { type: 'ec' });
  const thumbprint = createHash('sha256').update(certificateBase64, 'base64').digest('base64url');
  const clientCertificate = { header: 'client-cert', form: 'base64', trustedProxies: ['10.0.0.1'] } as const;
  const from = (peer: string, dpop?: string) => ({
    method: 'GET',
    url: '/orders',
    headers: { 'client-cert': certificateBase64, dpop },
    socket: { remoteAddress: peer },
  });

  it('is accepted by the header of a trusted proxy, and that of anybody else is not believed', async (t) => {
    const warned = t.mock.method(console, 'warn', () => {});
    const verifier = fakeVerifier({ clientCertificate });
    const token = verifier.issue({ cnf: { 'x5t#S256': thumbprint } });
    const guard = createGuard(verifier);
    for (const peer of ['10.0.0.1', '::ffff:10.0.0.1']) await guard(`Bearer ${token}`, from(peer));
    assert.equal(warned.mock.callCount(), 0);
    for (const peer of ['10.0.0.2', '::1', '', 'unix']) {
      assert.equal(Object(await refusal(guard, `Bearer ${token}`, from(peer))).reason, 'bound', peer);
    }
    assert.match(
      String(warned.mock.calls[0]?.arguments[0]),
      /10\.0\.0\.2 .* clientCertificate\.trustedProxies/,
    );
    const none = createGuard(fakeVerifier({}));
    assert.equal(Object(await refusal(none, `Bearer ${token}`, from('10.0.0.1'))).reason, 'unknown');
  });

  it('and to a key needs both', async () => {
    const verifier = fakeVerifier({ publicUrl, clientCertificate });
    const token = verifier.issue({ cnf: { 'x5t#S256': thumbprint, jkt: key.jkt } });
    const guard = createGuard(verifier);
    const proof = () => key.proof({ url, accessToken: token });
    await guard(`DPoP ${token}`, from('10.0.0.1', await proof()));
    assert.equal(Object(await refusal(guard, `Bearer ${token}`, from('10.0.0.1'))).reason, 'bound');
    assert.equal(Object(await refusal(guard, `DPoP ${token}`, from('10.0.0.1'))).reason, 'missing');
    const untrusted = from('10.0.0.9', await proof());
    assert.equal(Object(await refusal(guard, `DPoP ${token}`, untrusted)).reason, 'bound');
  });
});

describe('the URL of a proof', () => {
  const accepted = async (options: Options, claimed: string, at: string) => {
    const { guard, token } = start(options);
    const proof = await key.proof({ url: claimed, accessToken: token });
    return guard(`DPoP ${token}`, requestWith(proof, at)).then(
      () => true,
      (error) => Object(error).reason,
    );
  };

  it('has the origin of the resource, if the API says nothing else', async () => {
    const options = { resource: ['https://api.example/orders', 'https://other.example'] };
    const at = 'http://evil.example/orders';
    assert.equal(await accepted(options, 'https://api.example/orders', at), true);
    assert.equal(await accepted(options, 'https://other.example/orders', at), true);
    assert.equal(await accepted(options, 'https://evil.example/orders', at), 'url');
  });

  it('can have that of the request on this machine alone, because a Host that a caller names proves nothing', async (t) => {
    const warned = t.mock.method(console, 'warn', () => {});
    const local = 'http://localhost:3000/orders';
    assert.equal(await accepted({}, local, local), true);
    assert.equal(await accepted({}, 'http://evil.example/orders', 'http://evil.example/orders'), 'bound');
    assert.match(String(warned.mock.calls[0]?.arguments[0]), /publicUrl/);
  });

  it('is part of what check says', async () => {
    const proofs = async (options: Options) =>
      (await fakeVerifier(options).check()).find(({ check }) => check === 'proofs');
    assert.equal((await proofs({}))?.level, 'warning');
    assert.match((await proofs({}))?.advice ?? '', /publicUrl/);
    assert.deepEqual(await proofs({ publicUrl: [publicUrl, 'https://b.example'] }), {
      check: 'proofs',
      level: 'ok',
      message: `DPoP proofs are for ${publicUrl}, https://b.example`,
    });
  });
});

describe('the nonces of proofs', () => {
  const nonceSecret = 'a secret of this API for its nonces';
  const send = async (verifier: FakeVerifier, token: string, nonce?: string) =>
    createGuard(verifier)(
      `DPoP ${token}`,
      requestWith(await key.proof({ url, accessToken: token, ...(nonce && { nonce }) })),
    );
  const nonceOf = (error: unknown): string => {
    assert.ok(error instanceof AccessError && error.code === 'use_dpop_nonce', `${error}`);
    assert.match(error.headers['www-authenticate'] ?? '', /^DPoP .*error="use_dpop_nonce"/);
    return error.headers['dpop-nonce'] ?? '';
  };

  it('are asked for, and accepted by each process with the secret', async () => {
    const [first, second] = [1, 2].map(() => start({ publicUrl, dpop: { nonceSecret } }));
    assert.ok(first && second);
    const nonce = nonceOf(await send(first.verifier, first.token).catch((error) => error));
    for (const { verifier, token } of [first, second, second]) await send(verifier, token, nonce);
    const stranger = start({ publicUrl, dpop: { nonceSecret: `${nonceSecret}, another one` } });
    nonceOf(await send(stranger.verifier, stranger.token, nonce).catch((error) => error));
  });

  it('end after five minutes', async (t) => {
    const { verifier, token } = start({ publicUrl, dpop: { nonceSecret } });
    const nonce = nonceOf(await send(verifier, token, 'made-up').catch((error) => error));
    await send(verifier, token, nonce);
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 300_000 });
    nonceOf(await send(verifier, token, nonce).catch((error) => error));
  });
});

describe('the used proofs', () => {
  it('are kept by the store of the options, so that several processes refuse what one has seen', async () => {
    const memory = new ProofMemory(() => Date.now());
    // Such as Redis answers.
    const use = async (...given: Parameters<typeof memory.use>) => memory.use(...given) && 'OK';
    const usedProofs = { use } as unknown as UsedProofs;
    const [first, second] = [1, 2].map(() => start({ publicUrl, dpop: { usedProofs } }));
    assert.ok(first && second);
    const token = first.verifier.issue({ cnf: { jkt: key.jkt } });
    const proof = await key.proof({ url, accessToken: token });
    await first.guard(`DPoP ${token}`, requestWith(proof));
    const sameToken = createGuard({ ...second.verifier, verify: (text) => first.verifier.verify(text) });
    assert.equal(Object(await refusal(sameToken, `DPoP ${token}`, requestWith(proof))).reason, 'replay');
  });

  it('give no access where the store fails', async () => {
    const usedProofs = { use: () => Promise.reject(new Error('the store is away')) };
    const { guard, token } = start({ publicUrl, dpop: { usedProofs } });
    const proof = await key.proof({ url, accessToken: token });
    await assert.rejects(guard(`DPoP ${token}`, requestWith(proof)), /the store is away/);
  });

  it('are forgotten in the second after they have ended', () => {
    let now = 0;
    const memory = new ProofMemory(() => now);
    for (const id of ['a', 'b']) assert.equal(memory.use(id, 10_400, 'one'), true);
    assert.equal(memory.use('a', 10_400, 'one'), false);
    now = 10_400;
    assert.equal(memory.use('a', 10_400, 'one'), false, 'it is usable until then');
    now = 11_000;
    assert.equal(memory.use('c', 20_000, 'other'), true);
    assert.equal(memory.size, 1);
    now = 10_400;
    assert.equal(memory.use('c', 20_000, 'other'), false, 'the clock was set back');
  });

  it('of a client stay used, and its next ones are taken, while another one sends more than there is room for', () => {
    let now = 0;
    const memory = new ProofMemory(() => now, 100);
    for (let id = 0; id < 10; id += 1) memory.use(`own ${id}`, 60_000, 'own');
    const flood = [];
    for (let id = 0; id < 1000; id += 1) {
      flood.push(memory.use(`flood ${id}`, 120_000, 'flood'));
      if (id % 100 === 0) assert.equal(memory.use(`next ${id}`, 60_000, 'own'), true, `after ${id}`);
    }
    assert.deepEqual([flood.indexOf('many'), flood.lastIndexOf(true)], [89, 88]);
    for (let id = 0; id < 10; id += 1) assert.equal(memory.use(`own ${id}`, 60_000, 'own'), false);
    assert.equal(memory.use('flood 0', 120_000, 'flood'), false);
    now = 61_000;
    assert.equal(memory.use('flood again', 120_000, 'flood'), true, 'the others have ended');
  });

  it('are bounded, however many keys send them', () => {
    const memory = new ProofMemory(() => 0, 100);
    for (let id = 0; id < 300; id += 1) memory.use(`${id}`, 60_000, 'flood');
    const others = Array.from({ length: 300 }, (_, id) => memory.use(`of ${id}`, 60_000, `key ${id}`));
    assert.deepEqual([others.indexOf('many'), memory.size], [100, 200]);
    assert.equal(memory.use('of 0', 60_000, 'key 0'), false);
  });

  it('of a key are refused where there is no room for more of it', async () => {
    const usedProofs = { use: () => 'many' as unknown as boolean };
    const { guard, token } = start({ publicUrl, dpop: { usedProofs } });
    const proof = await key.proof({ url, accessToken: token });
    const error = await refusal(guard, `DPoP ${token}`, requestWith(proof));
    assert.deepEqual([error.code, Object(error).reason], ['invalid_dpop_proof', 'many']);
  });
});

describe('a bound token of the server', () => {
  it('is known again from the cache, and needs a proof each time', async () => {
    await using test = await startVerifier(answerWith(200, { ...emma, cnf: { jkt: key.jkt } }), {
      publicUrl,
    });
    const guard = createGuard(test.verifier);
    for (const _ of [1, 2]) {
      const iat = Math.floor(test.system.now() / 1000);
      const proof = await key.proof({ url, accessToken: 'abc', claims: { iat } });
      await guard('DPoP abc', requestWith(proof));
      assert.equal(Object(await refusal(guard, 'DPoP abc', requestWith(proof))).reason, 'replay');
      assert.equal(Object(await refusal(guard, 'Bearer abc', requestWith(proof))).reason, 'bound');
    }
    assert.equal(test.server.requests.length, 1);
  });
});

describe('the client of tests', () => {
  it('sends what a protected API accepts', async () => {
    const client = await dpopClient();
    const verifier = fakeVerifier();
    const token = verifier.issue({ cnf: client.cnf });
    const at = 'http://localhost:3000/orders';
    const headers = await client.headers({ url: at, token });
    await createGuard(verifier)(headers.authorization, new Request(at, { headers }));
  });
});
