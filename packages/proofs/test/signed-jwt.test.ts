import assert from 'node:assert/strict';
import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, it } from 'node:test';
import { CompactSign } from 'jose';
import { type KeySet, type ListedKey, readKeySet } from '../src/key-set.ts';
import { type JwtExpectations, jwtRefusal, parseJwt } from '../src/signed-jwt.ts';

const now = 1_800_000_000;
const expectations: JwtExpectations = {
  algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'],
  audiences: ['https://as.example', 'https://as.example/oauth2/token'],
  times: { now: now * 1000, maxLifetime: 3600 },
};
const claims = { iss: 'c', sub: 'c', aud: 'https://as.example', exp: now + 60, jti: '1' };

interface Signer {
  readonly privateKey: KeyObject;
  readonly jwk: ListedKey;
}

function signer(type: 'rsa' | 'ec' | 'ed25519', members: Partial<ListedKey> = {}, bits = 2048): Signer {
  const options = { modulusLength: bits, namedCurve: 'P-256' };
  // The overloads of Node.js have one type each.
  const { publicKey, privateKey } = generateKeyPairSync(type as 'rsa', options);
  return {
    privateKey,
    jwk: { ...(publicKey.export({ format: 'jwk' }) as unknown as ListedKey), ...members },
  };
}

const rsa = signer('rsa', { kid: 'r' });
const ec = signer('ec', { kid: 'e' });
const ed = signer('ed25519', { kid: 'd' });

function signed(by: Signer, header: Record<string, unknown>, payload: object = claims): Promise<string> {
  return new CompactSign(Buffer.from(JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'none', ...header })
    .sign(by.privateKey);
}

async function refused(text: string, keys: readonly ListedKey[], also: Partial<JwtExpectations> = {}) {
  const jwt = parseJwt(text);
  assert.ok(jwt, `expected a JWT that can be parsed, got ${text.slice(0, 100)}`);
  return (await jwtRefusal(jwt, { keys }, { ...expectations, ...also }))?.rule;
}

/** A JWT that no library makes. */
function forged(header: object, sign: (input: string) => string, payload: object = claims): string {
  const input = [header, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${input}.${sign(input)}`;
}

describe('a JWT of another party', () => {
  it('is accepted with each algorithm, by the key of its kid or by each key without one', async () => {
    const keys = [rsa.jwk, ec.jwk, ed.jwk];
    for (const [by, alg] of [
      [rsa, 'RS256'],
      [rsa, 'PS256'],
      [ec, 'ES256'],
      [ed, 'EdDSA'],
      [ed, 'Ed25519'],
    ] as const) {
      assert.equal(await refused(await signed(by, { alg, kid: by.jwk.kid }), keys), undefined, alg);
      assert.equal(await refused(await signed(by, { alg }), keys), undefined, `${alg} without kid`);
    }
  });

  it('is refused for a key that is not there, and a newer set can have it', async () => {
    const text = await signed(ec, { alg: 'ES256', kid: 'new' });
    assert.equal(await refused(text, [ec.jwk]), 'key');
    assert.equal(await refused(text, [{ ...ec.jwk, kid: 'new' }]), undefined);
    const other = signer('ec');
    assert.equal(await refused(await signed(other, { alg: 'ES256' }), [ec.jwk]), 'key');
    assert.equal(await refused(await signed(other, { alg: 'ES256', kid: 'e' }), [ec.jwk]), 'signature');
  });

  it('is refused with none, with an HMAC of the public key, and with an algorithm that is not the one of the key', async () => {
    const pem = createPublicKey(rsa.privateKey).export({ format: 'pem', type: 'spki' });
    const hmac = (input: string) => createHmac('sha256', pem).update(input).digest('base64url');
    assert.equal(await refused(forged({ alg: 'HS256', kid: 'r' }, hmac), [rsa.jwk]), 'algorithm');
    for (const alg of ['none', 'None', 'NONE', 'toString', '__proto__'])
      assert.equal(
        await refused(
          forged({ alg }, () => ''),
          [rsa.jwk],
        ),
        'algorithm',
        alg,
      );
    // Even where the caller lists them, no key makes them.
    const careless = { algorithms: ['none', 'HS256', 'toString'] };
    assert.equal(await refused(forged({ alg: 'HS256' }, hmac), [rsa.jwk], careless), 'key');
    assert.equal(
      await refused(
        forged({ alg: 'toString' }, () => ''),
        [rsa.jwk],
        careless,
      ),
      'key',
    );
    const pinned = { ...rsa.jwk, alg: 'PS256' };
    assert.equal(await refused(await signed(rsa, { alg: 'RS256' }), [pinned]), 'key');
    assert.equal(await refused(await signed(rsa, { alg: 'PS256' }), [pinned]), undefined);
    assert.equal(await refused(await signed(ec, { alg: 'ES256' }), [{ ...ec.jwk, use: 'enc' }]), 'key');
    assert.equal(
      await refused(await signed(ec, { alg: 'ES256' }), [{ ...ec.jwk, key_ops: ['sign'] }]),
      'key',
    );
  });

  it('is not verified with more than four keys: a name must choose among more', async () => {
    const others = Array.from({ length: 3 }, (_, index) => ({ ...signer('ec').jwk, kid: `k${index}` }));
    const text = await signed(ec, { alg: 'ES256' });
    assert.equal(await refused(text, [...others, ec.jwk]), undefined);
    assert.equal(await refused(text, [...others, signer('ec').jwk, ec.jwk]), 'key');
    const named = await signed(ec, { alg: 'ES256', kid: 'e' });
    assert.equal(await refused(named, [...others, ...others, ec.jwk]), undefined);
    assert.equal(
      await refused(
        named,
        Array.from({ length: 5 }, () => ec.jwk),
      ),
      'key',
    );
  });

  it('is not read with an extension, a key of its own, or another form', async () => {
    assert.equal(parseJwt(forged({ alg: 'ES256', crit: ['b64'], b64: false }, () => 'AA')), undefined);
    const text = await signed(ec, { alg: 'ES256' });
    for (const wrong of [
      '',
      'a.b',
      `${text}.x`,
      `x${text}`,
      text.replace('.', '=.'),
      `${text}${'A'.repeat(20_000)}`,
    ])
      assert.equal(parseJwt(wrong), undefined, wrong.slice(0, 60));
    const attacker = signer('ec');
    const own = await signed(attacker, { alg: 'ES256', jwk: attacker.jwk, jku: 'https://attacker.example/' });
    assert.equal(await refused(own, [ec.jwk]), 'key');
  });

  it('names this server alone', async () => {
    const [issuer = '', token = ''] = expectations.audiences ?? [];
    const audiences: readonly [unknown, string | undefined][] = [
      [issuer, undefined],
      [[issuer, token], undefined],
      [[issuer, 'https://other.example'], 'audience'],
      ['https://other.example', 'audience'],
      [`${issuer}/`, 'audience'],
      [[], 'audience'],
      [undefined, 'audience'],
      [{ 0: issuer }, 'audience'],
    ];
    for (const [aud, rule] of audiences) {
      const text = await signed(ec, { alg: 'ES256' }, { ...claims, aud });
      assert.equal(await refused(text, [ec.jwk]), rule, JSON.stringify(aud));
    }
  });

  it('is of now, within 60 seconds of skew', async () => {
    const times: readonly [object, string | undefined][] = [
      [{ exp: now - 59 }, undefined],
      [{ exp: now - 60 }, 'time'],
      [{ exp: now + 3660 }, undefined],
      [{ exp: now + 3661 }, 'time'],
      [{ exp: undefined }, 'time'],
      [{ exp: `${now + 60}` }, 'time'],
      [{ exp: 1e300 }, 'time'],
      [{ exp: -1 }, 'time'],
      [{ nbf: now + 60 }, undefined],
      [{ nbf: now + 61 }, 'time'],
      [{ iat: now + 60 }, undefined],
      [{ iat: now + 61 }, 'time'],
      [{ iat: now - 3660 }, undefined],
      [{ iat: now - 3661 }, 'time'],
      [{ iat: null }, 'time'],
    ];
    for (const [changed, rule] of times) {
      const text = await signed(ec, { alg: 'ES256' }, { ...claims, ...changed });
      assert.equal(await refused(text, [ec.jwk]), rule, JSON.stringify(changed));
    }
  });
});

describe('a set of keys', () => {
  const problemOf = (value: unknown) => {
    const read = readKeySet(value);
    return 'problem' in read ? read.problem : undefined;
  };

  it('keeps the public members that are used, and keys of types that nobody knows yet', () => {
    const given = {
      keys: [
        { ...ec.jwk, x5c: ['A'], iat: 1 },
        { kty: 'AKP', alg: 'ML-DSA-44', pub: 'AA' },
      ],
    };
    const expected: KeySet = { keys: [ec.jwk, { kty: 'AKP', alg: 'ML-DSA-44' }] };
    assert.deepEqual(readKeySet(given), expected);
  });

  it('with a private or symmetric key is refused', () => {
    for (const { privateKey } of [rsa, ec, ed])
      assert.match(
        problemOf({ keys: [ec.jwk, privateKey.export({ format: 'jwk' })] }) ?? '',
        /number 2.* is private/,
      );
    assert.match(problemOf({ keys: [{ kty: 'oct', k: 'AA' }] }) ?? '', /symmetric/);
    assert.match(problemOf({ keys: [{ kty: 'AKP', priv: 'AA' }] }) ?? '', /private/);
  });

  it('with a weak, huge or malformed key is refused', () => {
    assert.match(problemOf({ keys: [signer('rsa', {}, 1024).jwk] }) ?? '', /1024 bits/);
    const padded = Buffer.concat([
      Buffer.alloc(200),
      Buffer.from(signer('rsa', {}, 1024).jwk.n ?? '', 'base64url'),
    ]);
    assert.match(problemOf({ keys: [{ ...rsa.jwk, n: padded.toString('base64url') }] }) ?? '', /1024 bits/);
    const ofBytes = (bytes: number) => ({ ...rsa.jwk, n: Buffer.alloc(bytes, 0xff).toString('base64url') });
    assert.match(problemOf({ keys: [ofBytes(513)] }) ?? '', /4104 bits/);
    assert.equal(problemOf({ keys: [ofBytes(512)] }), undefined);
    for (const e of ['AQ', 'Ag', 'AQAAAAAB', 'AA', '!', undefined])
      assert.match(problemOf({ keys: [{ ...rsa.jwk, e }] }) ?? '', /exponent|n and e/, `e=${e}`);
    for (const wrong of [{ x: 'AA' }, { y: undefined }, { x: '***' }])
      assert.match(problemOf({ keys: [{ ...ec.jwk, ...wrong }] }) ?? '', /no point of P-256/);
    for (const wrong of [{ kty: undefined }, { kid: 7 }, { key_ops: 'verify' }, { alg: {} }])
      assert.ok(problemOf({ keys: [{ ...ec.jwk, ...wrong }] }), JSON.stringify(wrong));
  });

  it('that is none, too long, or of too many keys is refused', () => {
    for (const wrong of [null, [], 'text', {}, { keys: {} }, { keys: [1] }, { keys: [null] }, { keys: [[]] }])
      assert.match(problemOf(wrong) ?? '', /not a JSON Web Key Set/, JSON.stringify(wrong));
    assert.match(problemOf({ keys: Array.from({ length: 21 }, () => ec.jwk) }) ?? '', /more than 20 keys/);
    assert.match(problemOf({ keys: [{ ...ec.jwk, x5c: ['A'.repeat(70_000)] }] }) ?? '', /bytes/);
    assert.equal(problemOf({ keys: [] }), undefined);
  });
});
