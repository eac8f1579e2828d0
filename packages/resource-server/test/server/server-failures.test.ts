import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { AuthorizationServerUnavailable, type Unavailability } from '../../src/index.ts';
import {
  type AnswerRequest,
  accept,
  answerWith,
  emma,
  hang,
  reject,
} from '../support/authorization-server.ts';
import { FakeSystem } from '../support/fake-system.ts';
import { startVerifier, type TestVerifier } from '../support/verifier.ts';

const unavailable = (reason: Unavailability) => ({
  name: 'AuthorizationServerUnavailable',
  code: 'temporarily_unavailable',
  status: 503,
  reason,
});

/** Verifies a token whose lookup is attempted twice. */
async function verifyTwice(test: TestVerifier, token: string): Promise<unknown> {
  const { requests } = test.server;
  const before = requests.length;
  const verified = test.verifier.verify(token).catch((error: unknown) => error);
  await test.server.received(before + 1);
  await settled(test);
  test.system.advance(150);
  return verified;
}

/** Resolves when the first attempt has failed and only the pause before the second is left to wait for. */
async function settled({ system }: TestVerifier): Promise<void> {
  while (!system.isWaitingFor(100)) await new Promise((resolve) => setImmediate(resolve));
}

/**
 * A lookup waits 2.5 s for its first attempt, and 5 s in all.
 *
 * @param begun resolves when the attempt with this number has begun
 */
async function timesOutTwice(
  test: TestVerifier,
  begun: (attempt: number) => Promise<unknown>,
): Promise<void> {
  const refused = assert.rejects(test.verifier.verify('a'), unavailable('timeout'));
  await begun(1);
  test.system.advance(2500);
  await settled(test);
  test.system.advance(100);
  await begun(2);
  test.system.advance(2400);
  await refused;
}

const endless: AnswerRequest = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = () => {
    while (!response.destroyed && response.write(' '.repeat(65_536)));
  };
  response.on('drain', more);
  more();
};

describe('while the server', () => {
  for (const [what, answer, reason, attempts] of [
    ['answers 500', answerWith(500, { error: 'server_error' }), 'server_error', 2],
    ['answers 502 with a page of a proxy', answerWith(502, '<html>'), 'server_error', 2],
    ['breaks the connection off', (_, response) => response.destroy(), 'unreachable', 2],
    [
      'breaks off in the middle of an answer',
      (_, response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"audience":');
        setImmediate(() => response.destroy());
      },
      'unreachable',
      2,
    ],
    [
      'answers 503 and says when to come back',
      answerWith(503, {}, { 'retry-after': '3' }),
      'server_error',
      1,
    ],
    ['answers 429', answerWith(429, { error: 'too_many_requests' }), 'rate_limited', 1],
    ['refuses the credentials', answerWith(401, { error: 'invalid_client' }), 'credentials_refused', 1],
    ['answers something that is no JSON', answerWith(200, 'wwa_garbage {'), 'invalid_answer', 1],
    ['answers nothing with 200', answerWith(200, ''), 'invalid_answer', 1],
    ['answers JSON that is no token info', answerWith(200, { active: true }), 'invalid_answer', 1],
    ['answers token info with a hole in it', answerWith(200, { ...emma, scopes: null }), 'invalid_answer', 1],
    [
      'answers more than a megabyte',
      answerWith(200, JSON.stringify(emma) + ' '.repeat(2_000_000)),
      'invalid_answer',
      1,
    ],
    ['answers without an end', endless, 'invalid_answer', 1],
    ['answers the 404 of another server', answerWith(404, '<h1>Not Found</h1>'), 'wrong_address', 1],
    ['answers a 404 with another error', answerWith(404, { error: 'unknown_address' }), 'wrong_address', 1],
    ['answers a 410 with another error', answerWith(410, {}), 'unexpected_answer', 1],
    ['answers 400', answerWith(400, { error: 'invalid_request' }), 'unexpected_answer', 1],
    ['answers 403', answerWith(403, 'no'), 'unexpected_answer', 1],
    ['answers 204', answerWith(204, ''), 'unexpected_answer', 1],
    ['answers 201 with token info', answerWith(201, emma), 'unexpected_answer', 1],
  ] as readonly [string, AnswerRequest, Unavailability, number][]) {
    it(`${what}, no token is accepted: ${reason}`, async () => {
      await using test = await startVerifier(answer);
      const error =
        attempts === 2 ? await verifyTwice(test, 'a') : await test.verifier.verify('a').catch((e) => e);
      assert.ok(error instanceof AuthorizationServerUnavailable, String(error));
      assert.equal(error.reason, reason);
      assert.equal(error.status, 503);
      assert.match(error.headers['retry-after'] ?? '', /^[1-9]\d*$/);
      assert.equal(test.server.requests.length, attempts);
      assert.equal(test.system.timers, 0);
    });
  }

  for (const status of [301, 302, 303, 307, 308]) {
    it(`redirects with ${status}, the other address gets no request`, async () => {
      await using elsewhere = await startVerifier(accept());
      await using test = await startVerifier(answerWith(status, '', { location: elsewhere.server.url }));
      await assert.rejects(test.verifier.verify('a'), unavailable('redirected'));
      assert.equal(elsewhere.server.requests.length, 0);
      assert.equal(test.server.requests.length, 1);
    });
  }

  it('answers after ten seconds, a request waits for five at most and is rejected', async () => {
    const closed: Promise<unknown>[] = [];
    await using test = await startVerifier((_request, response) => void closed.push(once(response, 'close')));
    await timesOutTwice(test, (attempt) => test.server.received(attempt));
    assert.equal(test.system.timers, 0);
    // Neither attempt keeps its connection.
    assert.equal((await Promise.all(closed)).length, 2);
  });

  it('sends its answer byte by byte, a request waits no longer', async () => {
    await using test = await startVerifier((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{');
    });
    await timesOutTwice(test, (attempt) => test.server.received(attempt));
  });

  it('is asked by a fetch that never ends and ignores its signal, a request waits no longer', async () => {
    await using test = await startVerifier(hang, { fetch: () => new Promise(() => {}) });
    await timesOutTwice(test, () => test.system.timersSet(1));
  });

  it('is asked by a fetch that returns no response, no token is accepted', async () => {
    await using test = await startVerifier(hang, { fetch: async () => undefined as never });
    const refused = assert.rejects(test.verifier.verify('a'), unavailable('unreachable'));
    await settled(test);
    test.system.advance(150);
    await refused;
  });

  it('fails once, the second attempt accepts the token', async () => {
    let times = 0;
    await using test = await startVerifier((request, response) => {
      times += 1;
      (times === 1 ? answerWith(500, {}) : accept())(request, response);
    });
    assert.deepEqual(await verifyTwice(test, 'a'), emma);
  });

  it('is down, cached answers are used until ttl and everything else is rejected', async () => {
    await using test = await startVerifier();
    await test.verifier.verify('a');
    await test.server.stop();
    test.system.advance(299_999);
    assert.deepEqual(await test.verifier.verify('a'), emma);
    test.system.advance(1);
    const refused = assert.rejects(test.verifier.verify('a'), unavailable('unreachable'));
    await settled(test);
    test.system.advance(150);
    await refused;
  });

  it('is down, a cached answer is not used after the expiry of its token', async () => {
    const system = new FakeSystem();
    await using test = await startVerifier(
      accept({ expires_in: system.now() + 1000 }),
      { cache: { staleIfError: 3_600_000 } },
      system,
    );
    await test.verifier.verify('a');
    await test.server.stop();
    system.advance(1000);
    const refused = assert.rejects(test.verifier.verify('a'), unavailable('unreachable'));
    await settled(test);
    system.advance(150);
    await refused;
  });
});

describe('when the server answers again', () => {
  it('requests are accepted again after at most a second, without a restart', async () => {
    await using test = await startVerifier();
    await test.server.stop();
    for (const token of ['a', 'b', 'c', 'd', 'e']) await unreachable(test, token);
    await assert.rejects(test.verifier.verify('f'), unavailable('circuit_open'));
    await test.server.start();
    await assert.rejects(test.verifier.verify('f'), unavailable('circuit_open'));
    test.system.advance(1000);
    assert.deepEqual(await test.verifier.verify('f'), emma);
    assert.deepEqual(await test.verifier.verify('g'), emma);
  });

  it('one request tries it, and the others do not wait for that request', async () => {
    await using test = await startVerifier();
    await test.server.stop();
    for (const token of ['a', 'b', 'c', 'd', 'e']) await unreachable(test, token);
    test.server.answer(hang);
    await test.server.start();
    test.system.advance(1000);
    const tried = test.verifier.verify('f').catch((error: unknown) => error);
    await test.server.received(1);
    await assert.rejects(test.verifier.verify('g'), unavailable('circuit_open'));
    assert.equal(test.server.requests.length, 1);
    await test.server.stop();
    await settled(test);
    test.system.advance(150);
    await tried;
  });
});

/** Fails to verify while nothing listens. */
async function unreachable(test: TestVerifier, token: string): Promise<void> {
  const refused = assert.rejects(test.verifier.verify(token), unavailable('unreachable'));
  await settled(test);
  test.system.advance(150);
  await refused;
}

describe('a server that asks for a pause', () => {
  it('gets no lookup for the time that it asked for, up to a minute', async () => {
    for (const [header, seconds] of [
      ['7', 7],
      ['86400', 60],
    ] as const) {
      await using test = await startVerifier(answerWith(429, {}, { 'retry-after': header }));
      await assert.rejects(test.verifier.verify('a'), { reason: 'rate_limited', retryAfter: seconds });
      test.server.answer(accept());
      test.system.advance(seconds * 1000 - 1);
      await assert.rejects(test.verifier.verify('b'), { reason: 'circuit_open', retryAfter: 1 });
      assert.equal(test.server.requests.length, 1);
      test.system.advance(1);
      assert.deepEqual(await test.verifier.verify('b'), emma);
    }
  });
});

describe('a stale answer', () => {
  const staleIfError = 60_000;

  async function staleVerifier(options = { staleIfError }): Promise<TestVerifier> {
    const test = await startVerifier(accept(), { cache: options });
    await test.verifier.verify('a');
    test.system.advance(300_000);
    return test;
  }

  it('is used while the server is down, for the configured time', async () => {
    await using test = await staleVerifier();
    await test.server.stop();
    const verified = test.verifier.verify('a');
    await settled(test);
    test.system.advance(150);
    assert.deepEqual(await verified, emma);
    test.system.advance(staleIfError);
    await unreachable(test, 'a');
  });

  it('is used at once while the circuit is open', async () => {
    await using test = await staleVerifier();
    await test.server.stop();
    for (const token of ['b', 'c', 'd', 'e', 'f']) await unreachable(test, token);
    assert.deepEqual(await test.verifier.verify('a'), emma);
    await assert.rejects(test.verifier.verify('g'), unavailable('circuit_open'));
  });

  it('is not used by default', async () => {
    await using test = await staleVerifier({ staleIfError: 0 });
    await test.server.stop();
    await unreachable(test, 'a');
  });

  it('is not used when the token was invalidated or rejected', async () => {
    await using test = await staleVerifier();
    await test.verifier.invalidate('a');
    await test.server.stop();
    await unreachable(test, 'a');
    await test.server.start();
    await test.verifier.verify('a');
    test.system.advance(300_000);
    test.server.answer(reject);
    await assert.rejects(test.verifier.verify('a'), { reason: 'unknown' });
    await test.server.stop();
    test.system.advance(5000);
    await unreachable(test, 'a');
  });

  for (const [what, answer, reason] of [
    ['refuses the credentials', answerWith(401, {}), 'credentials_refused'],
    ['redirects', answerWith(302, '', { location: '/' }), 'redirected'],
    ['answers garbage', answerWith(200, 'garbage'), 'invalid_answer'],
    ['answers what is not in its contract', answerWith(403, {}), 'unexpected_answer'],
    ['asks for a pause', answerWith(429, {}), 'rate_limited'],
  ] as const) {
    it(`is not used while the server ${what}`, async () => {
      await using test = await staleVerifier();
      test.server.answer(answer);
      await assert.rejects(test.verifier.verify('a'), unavailable(reason));
    });
  }
});

describe('the circuit', () => {
  it('is not opened by answers that the token can have caused', async () => {
    await using test = await startVerifier(answerWith(403, 'blocked'));
    for (let time = 0; time < 20; time += 1) {
      await assert.rejects(test.verifier.verify(`bad-${time}`), unavailable('unexpected_answer'));
    }
    test.server.answer(reject);
    for (let time = 0; time < 20; time += 1) {
      await assert.rejects(test.verifier.verify(`unknown-${time}`), { reason: 'unknown' });
    }
    test.server.answer(accept());
    assert.deepEqual(await test.verifier.verify('good'), emma);
  });

  it('is opened by wrong credentials, so that their address is not locked out', async () => {
    await using test = await startVerifier(answerWith(401, {}));
    for (let time = 0; time < 20; time += 1) {
      await assert.rejects(test.verifier.verify(`token-${time}`), AuthorizationServerUnavailable);
    }
    assert.equal(test.server.requests.length, 5);
  });
});

describe('connections', () => {
  it('are kept open and used again, also after rejections', async () => {
    await using test = await startVerifier();
    const answers = [accept(), reject, answerWith(404, '<h1>'), answerWith(302, 'x', { location: '/' })];
    for (let time = 0; time < 40; time += 1) {
      // Success comes often enough for the circuit to stay closed.
      test.server.answer(answers[time % 4] ?? reject);
      await test.verifier.verify(`token-${time}`).catch(() => {});
    }
    assert.equal(test.server.requests.length, 40);
    // The runtime may open another one in the moment before the last is free.
    assert.ok(test.server.connections() <= 10, String(test.server.connections()));
  });

  it('carry at most 64 lookups at a time, for any number of tokens', async () => {
    const answers: (() => void)[] = [];
    const collect: AnswerRequest = (request, response) => {
      answers.push(() => accept()(request, response));
    };
    await using test = await startVerifier(collect);
    const verified = Array.from({ length: 70 }, (_, index) => test.verifier.verify(`token-${index}`));
    await test.server.received(64);
    await using other = await startVerifier();
    // Others that are on their way have arrived when these have been there and back.
    for (let time = 0; time < 10; time += 1) await other.verifier.verify(`other-${time}`);
    assert.equal(test.server.requests.length, 64);
    test.server.answer(accept());
    for (const answer of answers) answer();
    await Promise.all(verified);
    assert.equal(test.server.requests.length, 70);
  });
});

describe('operators', () => {
  it('get a report of each problem, once a second for each reason, without a secret', async () => {
    await using test = await startVerifier(answerWith(403, 'its-secret'));
    const verify = (token: string) => test.verifier.verify(token).catch(() => {});
    await verify('token-a');
    await verify('token-b');
    assert.deepEqual(test.system.warnings, [
      `The authorization server gave an answer that is not in its contract. Asked at ${test.server.url}: it answered 403; check the address`,
    ]);
    test.system.advance(1000);
    await verify('token-c');
    test.server.answer(answerWith(401, {}));
    await verify('token-d');
    assert.equal(test.system.warnings.length, 3);
    assert.doesNotMatch(test.system.warnings.join(), /its-secret|token-[a-d]/);
  });

  it('get the reason why the server cannot be reached', async () => {
    await using test = await startVerifier();
    await test.server.stop();
    await unreachable(test, 'a');
    assert.match(test.system.warnings.join(), /could not be reached.*ECONNREFUSED/);
  });

  it('get a warning about an unencrypted address of another machine', async () => {
    for (const [tokenInfoUrl, isWarned] of [
      ['http://id.example.com/v1/tokeninfo', true],
      ['HTTP://localhost.example.com/', true],
      ['http://127.0.0.1.example.com/', true],
      ['https://id.example.com/v1/tokeninfo', false],
      ['http://localhost:8080/v1/tokeninfo', false],
      ['http://127.0.0.1/v1/tokeninfo', false],
      ['http://[::1]:8080', false],
    ] as const) {
      await using test = await startVerifier(accept(), { tokenInfoUrl });
      assert.equal(test.system.warnings.length, isWarned ? 1 : 0, tokenInfoUrl);
    }
  });
});
