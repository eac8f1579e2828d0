import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Fetch } from '../../src/index.ts';
import { composeVerifier } from '../../src/verifier/create-token-verifier.ts';
import { answerWith, reject } from '../support/authorization-server.ts';
import {
  eventually,
  type JwtServer,
  jwtServer,
  later,
  type Revoked,
  signingKey,
} from '../support/jwt-server.ts';

const unknown = { name: 'TokenRejected', code: 'invalid_token', status: 401, reason: 'unknown' };

async function readyServer(options: Parameters<typeof jwtServer>[0] = {}): Promise<JwtServer> {
  const test = await jwtServer(options);
  await test.ready();
  await test.waiting();
  return test;
}

/** Whether a new token is verified here. */
async function isLocal(test: JwtServer): Promise<boolean> {
  return (await test.verifier.verify(await test.issue())).claims !== undefined;
}

describe('a revocation that the feed reports', () => {
  const iat = Math.floor(Date.UTC(2026, 0, 1) / 1000);
  for (const [what, entries] of [
    ['grant', { grants: { 'grant-1': later } }],
    ['client', { clients: { 'web-shop': iat } }],
    ['token', { tokens: { 'the-token': later } }],
    ['key', { keys: { old: later } }],
  ] as const satisfies readonly (readonly [string, Revoked])[]) {
    it(`ends a token that was verified before, and one that was not: its ${what}`, async () => {
      await using test = await readyServer();
      const old = await signingKey('EdDSA', 'old', 2);
      test.keys.push(old);
      test.system.advance(1000);
      const claims = { jti: 'the-token', iat };
      const [known, fresh] = [
        await test.issue(claims, {}, old),
        await test.issue({ ...claims, n: 2 }, {}, old),
      ];
      const other = await test.issue({ grant_id: 'other', client_id: 'other' });
      await test.verifier.verify(known);
      await test.verifier.verify(other);
      await test.revoke(entries);
      const asked = test.count('/v1/tokeninfo');
      await assert.rejects(test.verifier.verify(known), unknown);
      await assert.rejects(test.verifier.verify(fresh), unknown);
      await test.verifier.verify(other);
      assert.equal(test.count('/v1/tokeninfo'), asked);
    });
  }

  it('of a client does not end a token that was issued later', async () => {
    await using test = await readyServer();
    await test.revoke({ clients: { 'web-shop': iat } });
    assert.ok((await test.verifier.verify(await test.issue({ iat: iat + 1 }))).claims);
    await assert.rejects(test.verifier.verify(await test.issue({ iat })), unknown);
    await assert.rejects(test.verifier.verify(await test.issue({ iat: 0 })), unknown);
  });

  it('is added to those before, and a whole list replaces them', async () => {
    await using test = await readyServer();
    await test.revoke({ tokens: { first: later } });
    await test.revoke({ tokens: { second: later } });
    for (const jti of ['first', 'second']) {
      await assert.rejects(test.verifier.verify(await test.issue({ jti })), unknown);
    }
    test.listClaims = { since: undefined, revoked: { tokens: { third: later } } };
    await test.revoke({});
    assert.ok((await test.verifier.verify(await test.issue({ jti: 'first', n: 2 }))).claims);
    await assert.rejects(test.verifier.verify(await test.issue({ jti: 'third' })), unknown);
  });

  it('can have any key as its name', async () => {
    await using test = await readyServer();
    await test.revoke({ tokens: JSON.parse(`{"__proto__": ${later}, "constructor": ${later}}`) });
    for (const jti of ['__proto__', 'constructor']) {
      await assert.rejects(test.verifier.verify(await test.issue({ jti })), unknown);
    }
    assert.ok(
      (await test.verifier.verify(await test.issue({ jti: 'toString', grant_id: 'valueOf' }))).claims,
    );
  });
});

describe('the answer that nothing has changed', () => {
  it('confirms nothing without a signature: a revoked JWT is refused after maxListAge, and 503 where token info fails', async () => {
    for (const [answer, error] of [
      [reject, unknown],
      [answerWith(500, {}, { 'retry-after': '1' }), { name: 'AuthorizationServerUnavailable', status: 503 }],
    ] as const) {
      await using test = await readyServer();
      const token = await test.issue();
      await test.verifier.verify(token);
      test.tokenInfo = answer;
      test.isUnsigned = true;
      test.feed = answerWith(304, '');
      await test.endWaiting();
      await eventually(() => test.system.isWaitingFor(500));
      test.system.advance(9000);
      assert.ok((await test.verifier.verify(token)).claims);
      for (let passed = 9000; passed < 10_000; passed += 500) {
        await eventually(() => test.system.isWaitingFor(500));
        test.system.advance(500);
      }
      await assert.rejects(test.verifier.verify(token), error);
      await assert.rejects(test.verifier.verify(await test.issue()), error);
      const warnings = test.system.warnings.filter((warning) => warning.includes('304 alone'));
      assert.equal(warnings.length, 1);
    }
  });

  it('comes without a signature from an older server, whose changes are followed all the same', async () => {
    await using test = await jwtServer();
    test.isUnsigned = true;
    await test.ready();
    await test.waiting();
    assert.ok(await isLocal(test));
    await test.passTime(10_000);
    assert.ok(!(await isLocal(test)));
    await test.revoke({ tokens: { a: later } });
    assert.ok(await isLocal(test));
    await assert.rejects(test.verifier.verify(await test.issue({ jti: 'a' })), unknown);
    await test.passTime(10_000);
    assert.ok(!(await isLocal(test)));
    assert.equal(test.server.requests.at(-1)?.url, '/v1/tokeninfo');
  });

  it('is not used when it is kept and sent again, and what was revoked stays revoked', async () => {
    await using test = await readyServer();
    await test.passTime(5000);
    const kept = test.lists.at(-1) ?? '';
    const token = await test.issue();
    await test.verifier.verify(token);
    await test.revoke({ grants: { 'grant-1': later } });
    const asked = test.count('/v1/tokeninfo');
    test.feed = (_request, response) => response.writeHead(200).end(kept);
    test.system.advance(5000);
    await test.endWaiting();
    await eventually(() => test.system.warnings.some((warning) => warning.includes('another cursor')));
    await assert.rejects(test.verifier.verify(token), unknown);
    await assert.rejects(test.verifier.verify(await test.issue()), unknown);
    assert.equal(test.count('/v1/tokeninfo'), asked);
  });

  it('counts as old as its time says, but for clockTolerance', async () => {
    const jwt = { clockTolerance: 5000, maxListAge: 20_000 };
    for (const [age, lasts] of [
      [0, 20_000],
      [5, 20_000],
      [15, 11_000],
    ] as const) {
      await using test = await jwtServer({ jwt });
      test.listClaims = { iat: test.system.now() / 1000 - age };
      await test.ready();
      const token = await test.issue({ exp: later });
      await test.verifier.verify(token);
      test.feed = answerWith(503, {});
      test.system.advance(lasts - 1);
      assert.ok((await test.verifier.verify(token)).claims, String(age));
      test.system.advance(1);
      assert.equal((await test.verifier.verify(token)).claims, undefined, String(age));
    }
  });

  it('that is older than maxListAge confirms nothing, and is reported', async () => {
    await using test = await jwtServer();
    test.listClaims = { iat: test.system.now() / 1000 - 20 };
    assert.ok(!(await isLocal(test)));
    await eventually(() => test.system.warnings.some((warning) => warning.includes('compare the clocks')));
    assert.ok(!(await isLocal(test)));
  });
});

describe('the list of revocations', () => {
  it('is asked for with the credentials of the API, and then for changes since the cursor, waiting', async () => {
    await using test = await readyServer();
    const [first, ...others] = test.server.requests.filter(({ url }) => url === '/oauth2/revocations');
    const authorization = `Basic ${btoa('orders-api:its-secret')}`;
    assert.equal(first?.method, 'GET');
    assert.equal(first?.headers.authorization, authorization);
    assert.equal(first?.headers['if-none-match'], undefined);
    assert.equal(first?.headers.prefer, undefined);
    assert.deepEqual(
      others.map(({ headers }) => [headers.authorization, headers['if-none-match'], headers.prefer]),
      [[authorization, '"0"', 'return=representation, wait=5']],
    );
  });

  it('that nobody confirms is relied on for maxListAge, and then each token is a lookup until it is confirmed again', async () => {
    await using test = await readyServer();
    const token = await test.issue();
    await test.verifier.verify(token);
    test.feed = answerWith(503, {});
    const asked = test.count('/v1/tokeninfo');
    test.system.advance(9949);
    assert.ok((await test.verifier.verify(token)).claims);
    test.system.advance(51);
    assert.equal((await test.verifier.verify(token)).claims, undefined);
    assert.equal(test.count('/v1/tokeninfo'), asked + 1);
    test.system.advance(9999);
    await test.verifier.verify(token);
    assert.equal(test.count('/v1/tokeninfo'), asked + 1);
    test.system.advance(1);
    await test.verifier.verify(token);
    assert.equal(test.count('/v1/tokeninfo'), asked + 2);
    test.feed = undefined;
    await eventually(async () => {
      test.system.advance(100);
      await test.endWaiting();
      return (await test.verifier.verify(token)).claims !== undefined;
    });
  });

  it('that is confirmed again and again is relied on', async () => {
    await using test = await readyServer();
    const asked = test.count('/v1/tokeninfo');
    const token = await test.issue({ exp: later });
    for (let round = 0; round < 3; round += 1) {
      await test.verifier.verify(token);
      await test.passTime(20_000);
    }
    assert.equal(test.count('/v1/tokeninfo'), asked);
  });

  it('is as old as it can be when the machine slept while the answer was on its way', async () => {
    await using test = await readyServer();
    test.system.sleep(3_600_000);
    test.feed = answerWith(503, {});
    await test.endWaiting();
    await eventually(() => test.system.isWaitingFor(500));
    const asked = test.count('/v1/tokeninfo');
    assert.ok(!(await isLocal(test)));
    assert.equal(test.count('/v1/tokeninfo'), asked + 1);
  });

  for (const [problem, change] of [
    ['of another API', (test: JwtServer) => Object.assign(test, { listClaims: { aud: 'other-api' } })],
    ['of another type', (test: JwtServer) => Object.assign(test, { listHeader: { typ: 'JWT' } })],
    ['without a cursor', (test: JwtServer) => Object.assign(test, { listClaims: { cursor: undefined } })],
    [
      'with a cursor that is no entity tag',
      (test: JwtServer) => Object.assign(test, { listClaims: { cursor: 'a"\r\nb' } }),
    ],
    ['without entries', (test: JwtServer) => Object.assign(test, { listClaims: { revoked: null } })],
    [
      'with times that are no numbers',
      (test: JwtServer) => Object.assign(test, { listClaims: { revoked: { tokens: { a: 'b' } } } }),
    ],
    ['without a time', (test: JwtServer) => Object.assign(test, { listClaims: { iat: undefined } })],
    [
      'that was made long ago and is sent again',
      (test: JwtServer) => Object.assign(test, { listClaims: { iat: test.system.now() / 1000 - 66 } }),
    ],
    [
      'from the future',
      (test: JwtServer) => Object.assign(test, { listClaims: { iat: test.system.now() / 1000 + 66 } }),
    ],
    [
      'signed by an unknown key',
      async (test: JwtServer) => Object.assign(test, { signer: await signingKey('EdDSA', 'x', 3) }),
    ],
    [
      'signed by another key of the same name',
      async (test: JwtServer) => Object.assign(test, { signer: await signingKey('EdDSA', 'EdDSA', 3) }),
    ],
    [
      'signed by a key that it revokes',
      (test: JwtServer) => Object.assign(test, { listClaims: { revoked: { keys: { EdDSA: later } } } }),
    ],
    [
      'that is a page of another server',
      (test: JwtServer) => Object.assign(test, { feed: answerWith(200, '<html>') }),
    ],
    [
      'that is a redirect',
      (test: JwtServer) => Object.assign(test, { feed: answerWith(302, '', { location: '/' }) }),
    ],
  ] as const) {
    it(`${problem} is not used`, async () => {
      await using test = await jwtServer();
      await change(test);
      const token = await test.issue();
      await test.verifier.verify(token);
      const isWarned = () => test.system.warnings.some((warning) => warning.includes('/oauth2/revocations'));
      await eventually(isWarned);
      test.system.advance(10_000);
      assert.equal((await test.verifier.verify(token)).claims, undefined);
    });
  }

  it('that a revoked key signs is not used, also when it does not name the key', async () => {
    await using test = await readyServer();
    const [leaked, next] = [test.signer, await signingKey('EdDSA', 'next', 2)];
    test.signer = next;
    test.keys = [next];
    await test.revoke({ keys: { [leaked.kid]: later } });
    assert.ok(await isLocal(test));
    test.keys = [next, leaked];
    test.signer = leaked;
    test.listClaims = { since: undefined, revoked: {} };
    await assert.rejects(test.verifier.verify(await test.issue({}, {}, leaked)), unknown);
    const before = test.count('/oauth2/revocations');
    const revoked = test.revoke({});
    await eventually(() => test.system.isWaitingFor(187.5));
    await assert.rejects(test.verifier.verify(await test.issue({ n: 2 }, {}, leaked)), unknown);
    test.listClaims = {};
    test.signer = next;
    test.system.advance(250);
    await revoked;
    assert.ok(test.count('/oauth2/revocations') > before);
  });

  it('is asked for as a whole after changes since another cursor', async () => {
    await using test = await readyServer();
    test.listClaims = { since: 'another' };
    const revoked = test.revoke({ tokens: { a: later } });
    await eventually(() => test.system.isWaitingFor(187.5));
    test.listClaims = {};
    test.system.advance(250);
    await revoked;
    const last = test.server.requests.filter(({ url }) => url === '/oauth2/revocations').at(-2);
    assert.equal(last?.headers['if-none-match'], undefined);
    await assert.rejects(test.verifier.verify(await test.issue({ jti: 'a' })), unknown);
  });

  it('refuses a revoked token also while staleIfError lets others pass', async () => {
    await using test = await readyServer({ cache: { staleIfError: 60_000 } });
    const [revoked, other] = [await test.issue({ jti: 'a' }), await test.issue()];
    await test.verifier.verify(revoked);
    await test.verifier.verify(other);
    await test.revoke({ tokens: { a: later } });
    test.feed = answerWith(503, {});
    test.tokenInfo = answerWith(503, {}, { 'retry-after': '1' });
    await test.endWaiting();
    test.system.advance(20_000);
    assert.ok((await test.verifier.verify(other)).claims);
    await assert.rejects(test.verifier.verify(revoked), { status: 503 });
  });

  it('is not replaced by an older one that is sent again', async () => {
    await using test = await readyServer();
    await test.passTime(10_000);
    await test.revoke({ grants: { 'grant-1': later } });
    const made = test.system.now() / 1000;
    test.listClaims = { since: undefined, iat: made - 6, revoked: {} };
    await test.endWaiting();
    await eventually(() => test.system.warnings.some((warning) => warning.includes('sent it again')));
    await assert.rejects(test.verifier.verify(await test.issue()), unknown);
    test.listClaims = { since: undefined, iat: made - 4, revoked: {} };
    test.system.advance(250);
    await test.waiting();
    await test.endWaiting();
    await test.waiting();
    assert.ok((await test.verifier.verify(await test.issue({ n: 2 }))).claims);
  });

  for (const status of [401, 404]) {
    it(`is forgotten after ${status}, so that each token is a lookup at once`, async () => {
      await using test = await readyServer();
      const token = await test.issue();
      assert.ok((await test.verifier.verify(token)).claims);
      test.feed = answerWith(status, { error: 'not_found' });
      test.system.advance(5000);
      await test.endWaiting();
      await eventually(() => test.system.warnings.length > 0);
      assert.equal((await test.verifier.verify(token)).claims, undefined);
    });
  }

  it('is not followed any more after thirty seconds without a JWT', async () => {
    await using test = await readyServer();
    await test.passTime(25_000);
    test.system.advance(6000);
    await test.endWaiting();
    await eventually(() => {
      test.system.advance(500);
      return test.system.timers === 0;
    });
    const asked = test.count('/oauth2/revocations');
    test.system.advance(60_000);
    assert.equal(test.count('/oauth2/revocations'), asked);
    await test.ready();
    assert.ok(test.count('/oauth2/revocations') > asked);
  });

  it('is never asked for by an API that is presented opaque tokens only', async () => {
    await using test = await jwtServer();
    await test.verifier.verify('wwa_opaque');
    assert.equal(test.server.requests.length, 1);
  });

  it('is not followed any more after "await using", also if its request does not heed the signal', async () => {
    await using test = await jwtServer();
    const deaf: Fetch = (url, { signal: _, ...init }) => fetch(url, init);
    {
      await using verifier = composeVerifier({ ...test.server.options, fetch: deaf }, test.system);
      await eventually(async () => (await verifier.verify(await test.issue())).claims !== undefined);
      await test.waiting();
    }
    assert.equal(test.system.timers, 0);
    const asked = test.count('/oauth2/revocations');
    await test.endWaiting();
    test.system.advance(60_000);
    assert.equal(test.count('/oauth2/revocations'), asked);
  });

  it('is not followed any more after close, which ends the request, and each token is a lookup', async () => {
    await using test = await readyServer();
    test.verifier.close();
    await eventually(() => test.system.timers === 0);
    const asked = test.count('/oauth2/revocations');
    assert.ok(!(await isLocal(test)));
    assert.equal(test.count('/oauth2/revocations'), asked);
  });

  it('forgets entries whose tokens have expired', async () => {
    const { RevocationList } = await import('../../src/jwt/revocation-list.ts');
    const list = new RevocationList();
    const none = new Map<string, number>();
    const answer = { issuer: 'i', issuedAt: 0, cursor: 'c', since: undefined, grants: none, keys: none };
    list.takeOver({ ...answer, clients: new Map([['c', 1000]]), tokens: new Map([['t', 1000]]) }, 0);
    const claims = {
      issuer: 'i',
      clientId: '',
      grantId: undefined,
      tokenId: '',
      issuedAt: 1000,
      info: {} as never,
    };
    const isListed = () => [
      list.isRevoked({ ...claims, clientId: 'c' }, 'k'),
      list.isRevoked({ ...claims, tokenId: 't' }, 'k'),
    ];
    const change = { ...answer, since: 'c', clients: none, tokens: none };
    list.takeOver(change, 1300);
    assert.deepEqual(isListed(), [true, true]);
    list.takeOver(change, 1360);
    assert.deepEqual(isListed(), [true, false]);
    list.takeOver(change, 1000 + 86_400 + 301);
    assert.deepEqual(isListed(), [false, false]);
  });
});
