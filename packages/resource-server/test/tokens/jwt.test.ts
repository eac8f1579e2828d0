import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DpopKey } from '@watchword/testkit/dpop-key';
import { createGuard } from '../../src/index.ts';
import { answerWith } from '../support/authorization-server.ts';
import { eventually, type JwtServer, jwtServer, later, signingKey } from '../support/jwt-server.ts';

const unknown = { name: 'TokenRejected', code: 'invalid_token', status: 401, reason: 'unknown' };
const expired = { ...unknown, reason: 'expired' };

/** A server whose list of revocations the verifier has. */
async function readyServer(options: Parameters<typeof jwtServer>[0] = {}): Promise<JwtServer> {
  const test = await jwtServer(options);
  await test.ready();
  await test.waiting();
  return test;
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

describe('a JWT access token', () => {
  it('is a lookup until the list of revocations has arrived, and then is verified here', async () => {
    await using test = await jwtServer();
    assert.equal((await test.verifier.verify(await test.issue())).claims, undefined);
    assert.equal(test.count('/v1/tokeninfo'), 1);
    await test.ready();
    const before = test.count('/v1/tokeninfo');
    await test.verifier.verify(await test.issue());
    assert.equal(test.count('/v1/tokeninfo'), before);
  });

  it('that was a lookup is verified here as soon as the list of revocations has arrived', async () => {
    await using test = await jwtServer();
    const token = await test.issue();
    assert.equal((await test.verifier.verify(token)).claims, undefined);
    await test.ready();
    assert.ok((await test.verifier.verify(token)).claims);
  });

  it('that was a lookup is a lookup again when something was revoked since', async () => {
    await using test = await readyServer();
    const next = await signingKey('EdDSA', 'next', 2);
    test.jwks = answerWith(500, {});
    test.system.advance(1000);
    const token = await test.issue({}, {}, next);
    for (let repeats = 0; repeats < 2; repeats += 1) await test.verifier.verify(token);
    const asked = test.count('/v1/tokeninfo');
    await test.revoke({ tokens: { 'token-of-another': later } });
    test.system.advance(1000);
    assert.equal((await test.verifier.verify(token)).claims, undefined);
    assert.equal(test.count('/v1/tokeninfo'), asked + 1);
  });

  it('becomes token info by its claims, frozen', async () => {
    await using test = await readyServer();
    const login = { auth_time: 1_700_000_000, acr: 'high' };
    const token = await test.issue({ roles: ['clerk'], groups: ['sales'], ...login, exp: 1_900_000_000 });
    const { claims, ...info } = await test.verifier.verify(token);
    assert.deepEqual(info, {
      audience: 'web-shop',
      scopes: ['read', 'write'],
      principal: {
        name: 'subject-of-emma',
        roles: ['clerk'],
        groups: ['sales'],
        adminPrincipal: false,
        attributes: {},
      },
      expires_in: 1_900_000_000_000,
      auth_time: 1_700_000_000,
      acr: 'high',
    });
    assert.equal(claims?.acr, 'high');
    for (const part of [info.scopes, info.principal, info.principal.roles, claims, claims?.roles]) {
      assert.ok(Object.isFrozen(part));
    }
    assert.deepEqual((await test.verifier.verify(await test.issue({ scope: undefined }))).scopes, []);
    const own = await test.verifier.verify(await test.issue({ grant_id: undefined }));
    assert.equal(own.auth_time, null);
  });

  for (const algorithm of ['RS256', 'PS256', 'ES256', 'EdDSA']) {
    it(`is verified if it is signed by ${algorithm}, and rejected if a part of it was changed`, async () => {
      await using test = await readyServer();
      test.signer = await signingKey(algorithm, 'another');
      test.keys.push(test.signer);
      test.system.advance(1000);
      const token = await test.issue();
      assert.ok((await test.verifier.verify(token)).claims);
      const [header = '', , signature = ''] = token.split('.');
      const other = (await test.issue({ scope: 'admin' })).split('.')[1] ?? '';
      await assert.rejects(test.verifier.verify(`${header}.${other}.${signature}`), unknown);
    });
  }

  it('is verified with the first key of its name: a second key of one kid verifies nothing', async () => {
    await using test = await readyServer();
    const [first, second] = [await signingKey('EdDSA', 'same'), await signingKey('EdDSA', 'same', 2)];
    test.keys.push(first, second);
    test.system.advance(1000);
    assert.ok((await test.verifier.verify(await test.issue({}, {}, first))).claims);
    await assert.rejects(test.verifier.verify(await test.issue({}, {}, second)), unknown);
  });

  it('is accepted with the audience in a list, and rejected with another audience or issuer', async () => {
    await using test = await readyServer();
    assert.ok((await test.verifier.verify(await test.issue({ aud: ['orders-api', test.issuer] }))).claims);
    for (const claims of [
      { aud: 'other-api' },
      { aud: undefined },
      { aud: ['other-api'] },
      { iss: 'https://other.example' },
      { iss: `${test.issuer}/` },
      { iss: undefined },
    ]) {
      await assert.rejects(test.verifier.verify(await test.issue(claims)), unknown, JSON.stringify(claims));
    }
    assert.equal(test.count('/oauth2/jwks'), 1);
  });

  it('is rejected without a claim that RFC 9068 requires', async () => {
    await using test = await readyServer();
    for (const claim of ['sub', 'client_id', 'jti', 'iat', 'exp']) {
      await assert.rejects(test.verifier.verify(await test.issue({ [claim]: undefined })), unknown, claim);
    }
    for (const claims of [
      { jti: 7 },
      { grant_id: 7 },
      { scope: ['read'] },
      { roles: 'admin' },
      { cnf: 'x' },
      { auth_time: '1700000000' },
      { acr: ['high'] },
    ]) {
      await assert.rejects(test.verifier.verify(await test.issue(claims)), unknown, JSON.stringify(claims));
    }
  });

  it('is rejected with the type of another JWT: an ID token is no access token', async () => {
    await using test = await readyServer();
    for (const typ of ['JWT', 'logout+jwt', 'revocations+jwt', undefined]) {
      await assert.rejects(test.verifier.verify(await test.issue({}, { typ })), unknown, typ);
    }
    assert.ok((await test.verifier.verify(await test.issue({}, { typ: 'application/at+jwt' }))).claims);
  });

  it('has expired clockTolerance after its expiry, also when it was verified before', async () => {
    await using test = await readyServer({ jwt: { clockTolerance: 3000, maxListAge: 60_000 } });
    const token = await test.issue({ exp: Math.floor(test.system.now() / 1000) + 10 });
    const other = await test.issue({ exp: Math.floor(test.system.now() / 1000) + 10 });
    await test.verifier.verify(token);
    // The list of revocations arrived after 50 milliseconds.
    test.system.advance(12_949);
    assert.ok((await test.verifier.verify(token)).claims);
    test.system.advance(1);
    await assert.rejects(test.verifier.verify(token), expired);
    await assert.rejects(test.verifier.verify(other), expired);
  });

  it('that is bound to a key is accepted by guards with a proof alone', async () => {
    await using test = await readyServer();
    const guard = createGuard(test.verifier);
    const token = await test.issue({ cnf: { jkt: 'thumbprint' } });
    assert.deepEqual((await test.verifier.verify(token)).cnf, { jkt: 'thumbprint' });
    await assert.rejects(guard(`Bearer ${token}`), { reason: 'bound' });
    await assert.rejects(guard(`Bearer ${await test.issue({ cnf: { unknown: 1 } })}`), { reason: 'bound' });
    const key = await DpopKey.create();
    const bound = await test.issue({ cnf: { jkt: key.jkt } });
    const url = 'http://localhost:3000/orders';
    const iat = Math.floor(test.system.now() / 1000);
    const dpop = await key.proof({ url, accessToken: bound, claims: { iat } });
    const request = () => new Request(url, { headers: { dpop } });
    assert.ok((await guard(`DPoP ${bound}`, request())).claims);
    await assert.rejects(guard(`DPoP ${bound}`, request()), { reason: 'replay' });
  });

  it('is always a lookup with local: false, or with a token info address of another form and no issuer', async () => {
    for (const [options, path] of [
      [{ jwt: { local: false } }, '/v1/tokeninfo'],
      [{}, '/check'],
    ] as const) {
      await using test = await jwtServer(options, path);
      assert.equal((await test.verifier.verify(await test.issue())).claims, undefined);
      assert.equal(test.count(path), 1);
      assert.equal(test.count('/oauth2/revocations'), 0);
    }
  });

  it('has the issuer of the options, if there is one', async () => {
    await using test = await jwtServer({ issuer: 'https://id.example.com' });
    Object.assign(test, { issuer: 'https://id.example.com' });
    await test.ready();
    Object.assign(test, { issuer: 'https://other.example.com' });
    await assert.rejects(test.verifier.verify(await test.issue()), unknown);
  });
});

describe('the algorithm of a JWT', () => {
  it('is that of the key: none, a shared secret and any other are rejected', async () => {
    await using test = await readyServer();
    const rsa = await signingKey('RS256', 'rsa');
    test.keys.push(rsa);
    test.system.advance(1000);
    const good = await test.issue({}, {}, rsa);
    assert.ok((await test.verifier.verify(good)).claims);
    const payload = (await test.issue()).split('.')[1] ?? '';
    for (const alg of ['none', 'None', 'NONE', '']) {
      for (const signature of ['', good.split('.')[2]]) {
        const header = encoded({ alg, kid: 'rsa', typ: 'at+jwt' });
        await assert.rejects(test.verifier.verify(`${header}.${payload}.${signature}`), {
          name: 'TokenRejected',
        });
      }
    }
    const { createHmac, createPublicKey } = await import('node:crypto');
    const publicKey = createPublicKey({ key: rsa.jwk as never, format: 'jwk' });
    for (const secret of [
      publicKey.export({ type: 'spki', format: 'pem' }),
      publicKey.export({ type: 'spki', format: 'der' }),
      JSON.stringify(rsa.jwk),
      rsa.jwk.n ?? '',
    ]) {
      const input = `${encoded({ alg: 'HS256', kid: 'rsa', typ: 'at+jwt' })}.${payload}`;
      const signature = createHmac('sha256', secret).update(input).digest('base64url');
      await assert.rejects(test.verifier.verify(`${input}.${signature}`), unknown);
    }
    const pss = { ...(await signingKey('PS256')), privateKey: rsa.privateKey, kid: 'rsa' };
    const { SignJWT, importJWK, exportJWK } = await import('jose');
    const privateJwk = await exportJWK(pss.privateKey);
    const asPss = await importJWK({ ...privateJwk, alg: 'PS256' }, 'PS256');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const signed = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'PS256', kid: 'rsa', typ: 'at+jwt' })
      .sign(asPss);
    await assert.rejects(test.verifier.verify(signed), unknown);
  });

  it('is never one of a shared key, or of a key without algorithm, in the JWK Set', async () => {
    await using test = await readyServer();
    const secret = Buffer.alloc(32, 7).toString('base64url');
    const key = await signingKey('EdDSA', 'plain', 2);
    const { alg, ...withoutAlgorithm } = key.jwk;
    test.keys.push(
      { ...key, jwk: { kty: 'oct', k: secret, alg: 'HS256', kid: 'shared' } },
      { ...key, jwk: { kty: 'oct', k: secret, alg: 'RS256', kid: 'disguised' } },
      { ...key, jwk: withoutAlgorithm },
      { ...key, jwk: { ...key.jwk, kid: 'encryption', use: 'enc' } },
    );
    const { createHmac } = await import('node:crypto');
    const payload = (await test.issue()).split('.')[1] ?? '';
    for (const [name, header] of [
      ['shared', { alg: 'HS256', kid: 'shared' }],
      ['disguised', { alg: 'RS256', kid: 'disguised' }],
    ] as const) {
      test.system.advance(1000);
      const input = `${encoded({ ...header, typ: 'at+jwt' })}.${payload}`;
      const signature = createHmac('sha256', Buffer.alloc(32, 7)).update(input).digest('base64url');
      await assert.rejects(test.verifier.verify(`${input}.${signature}`), unknown, name);
    }
    for (const kid of ['plain', 'encryption']) {
      test.system.advance(1000);
      await assert.rejects(test.verifier.verify(await test.issue({}, { kid, alg }, key)), unknown, kid);
    }
  });

  it('and the key are never taken from the header of the token', async () => {
    await using test = await readyServer();
    const attacker = await signingKey('EdDSA', 'EdDSA', 2);
    const { url } = test.server;
    for (const header of [
      { jwk: attacker.jwk },
      { jku: url, kid: 'EdDSA' },
      { x5u: url, kid: 'EdDSA' },
      { x5c: ['MIIB'], kid: 'EdDSA' },
      { crit: ['jwk'], jwk: attacker.jwk },
    ]) {
      const requests = test.server.requests.length;
      const token = await test.issue({}, {}, attacker);
      const [, payload, signature] = token.split('.');
      await assert.rejects(test.verifier.verify(token), unknown);
      const forged = `${encoded({ alg: 'EdDSA', typ: 'at+jwt', kid: 'EdDSA', ...header })}.${payload}.${signature}`;
      await assert.rejects(test.verifier.verify(forged), unknown);
      assert.equal(test.server.requests.length, requests);
    }
  });
});

describe('the signature of a JWT', () => {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

  for (const alg of ['EdDSA', 'ES256', 'RS256', 'PS256']) {
    it(`has one spelling, so that a JWT is one text here and at the server: ${alg}`, async () => {
      await using test = await readyServer();
      const key = await signingKey(alg, `spelt by ${alg}`);
      test.keys.push(key);
      test.system.advance(1000);
      const token = await test.issue({}, {}, key);
      assert.ok((await test.verifier.verify(token)).claims);
      const start = token.slice(0, token.lastIndexOf('.') + 1);
      const signature = token.slice(start.length);
      const bytes = Buffer.from(signature, 'base64url');
      const others = [...digits]
        .map((digit) => signature.slice(0, -1) + digit)
        .filter((text) => text !== signature && Buffer.from(text, 'base64url').equals(bytes));
      assert.equal(others.length, { 1: 15, 2: 3, 0: 0 }[(bytes.length % 3) as 0 | 1 | 2]);
      const spellings = [signature, ...others].flatMap((text) => [text, `${text}=`, `${text}==`]);
      spellings.push(Buffer.from(signature, 'base64url').toString('base64'), `${signature}A`, '');
      for (const spelling of spellings.filter((text) => text !== signature)) {
        await assert.rejects(test.verifier.verify(start + spelling), unknown, spelling);
      }
    });
  }
});

describe('a JWT that waits for its key', () => {
  /** A token whose key is asked for. @returns answers with the key */
  async function waiting(test: JwtServer) {
    const next = await signingKey('EdDSA', 'next', 2);
    test.keys.push(next);
    test.system.advance(1000);
    const held = Promise.withResolvers<() => void>();
    test.jwks = (_request, response) => {
      held.resolve(() => response.end(JSON.stringify({ keys: test.keys.map(({ jwk }) => jwk) })));
    };
    const verified = test.verifier.verify(await test.issue({ jti: 'the-token' }, {}, next));
    return { verified, answer: await held.promise };
  }

  it('is refused if it is revoked meanwhile', async () => {
    await using test = await readyServer();
    const { verified, answer } = await waiting(test);
    const refused = assert.rejects(verified, unknown);
    await test.revoke({ tokens: { 'the-token': later } });
    answer();
    await refused;
  });

  it('is a lookup if the list of revocations gets too old meanwhile', async () => {
    await using test = await readyServer({ timeout: 60_000 });
    const { verified, answer } = await waiting(test);
    test.feed = answerWith(503, {});
    test.system.advance(10_000);
    answer();
    assert.equal((await verified).claims, undefined);
  });
});

describe('the keys of the server', () => {
  it('are fetched once for a new one, for all tokens that name it', async () => {
    await using test = await readyServer();
    const next = await signingKey('EdDSA', 'next', 2);
    test.keys.push(next);
    test.system.advance(1000);
    const tokens = await Promise.all(Array.from({ length: 50 }, () => test.issue({}, {}, next)));
    const fetched = test.count('/oauth2/jwks');
    const asked = test.count('/v1/tokeninfo');
    const infos = await Promise.all(tokens.map((token) => test.verifier.verify(token)));
    assert.ok(infos.every(({ claims }) => claims !== undefined));
    assert.equal(test.count('/oauth2/jwks'), fetched + 1);
    assert.equal(test.count('/v1/tokeninfo'), asked);
  });

  it('are fetched at most once a second, however many names of keys are made up', async () => {
    await using test = await readyServer();
    test.system.advance(1000);
    const asked = test.count('/v1/tokeninfo');
    const madeUp = async (round: number) => {
      const names = ['../../etc/passwd', "' or 1=1", 'EdDSA\0', 'a b', '__proto__'];
      const kids = Array.from({ length: 200 }, (_, index) => names[index] ?? `kid-${round}-${index}`);
      const tokens = await Promise.all(kids.map((kid) => test.issue({}, { kid })));
      return () => Promise.all(tokens.map((token) => assert.rejects(test.verifier.verify(token), unknown)));
    };
    const fetched = test.count('/oauth2/jwks');
    await (await madeUp(0))();
    assert.equal(test.count('/oauth2/jwks'), fetched + 1);
    const next = (await madeUp(1))();
    await test.system.timersSet(200);
    assert.equal(test.count('/oauth2/jwks'), fetched + 1);
    test.system.advance(1000);
    await next;
    assert.equal(test.count('/oauth2/jwks'), fetched + 2);
    assert.equal(test.count('/v1/tokeninfo'), asked);
  });

  it('that cannot be fetched leave an unknown one to token info', async () => {
    await using test = await readyServer();
    const next = await signingKey('EdDSA', 'next', 2);
    test.system.advance(1000);
    const asked = test.count('/v1/tokeninfo');
    for (const answer of [
      answerWith(500, {}),
      answerWith(200, 'no JSON'),
      answerWith(200, { keys: 'none' }),
    ]) {
      test.jwks = answer;
      test.system.advance(1000);
      assert.equal((await test.verifier.verify(await test.issue({}, {}, next))).claims, undefined);
    }
    assert.equal(test.count('/v1/tokeninfo'), asked + 3);
  });

  it('are fetched again in the background after five minutes', async () => {
    await using test = await readyServer();
    const fetched = test.count('/oauth2/jwks');
    for (const [time, expected] of [
      [280_000, fetched],
      [40_000, fetched + 1],
    ] as const) {
      await test.waiting();
      await test.endWaiting();
      await eventually(() => test.system.isWaitingFor(500));
      test.system.advance(time);
      await test.ready();
      await eventually(() => test.count('/oauth2/jwks') === expected);
    }
  });
});
