import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { protect as protectFetch } from '../src/fetch.ts';
import type { Fetch, FetchAnswer, TokenVerifierOptions } from '../src/index.ts';
import { TokenMissing } from '../src/index.ts';
import { protect } from '../src/node.ts';
import { fakeVerifier } from '../src/testing.ts';
import { composeVerifier } from '../src/verifier/create-token-verifier.ts';
import { answerWith } from './support/authorization-server.ts';
import { FakeSystem } from './support/fake-system.ts';
import { httpApi } from './support/http-api.ts';
import { eventually, type JwtServer, jwtServer } from './support/jwt-server.ts';

/** A logger whose methods need it as `this`, as those of pino do. */
class Logger {
  readonly #lines: string[] = [];
  warn(message: string): void {
    this.#lines.push(message);
  }
}

const failing: Readonly<Record<string, NonNullable<TokenVerifierOptions['warn']>>> = {
  'needs its logger': new Logger().warn,
  throws: () => {
    throw new Error('the log is full');
  },
  'throws what is no error': () => {
    throw undefined;
  },
  rejects: async () => {
    throw new Error('the log is full');
  },
};

/** Sees to it that a lookup which is attempted twice ends. */
async function outcomeOf({ verifier, system }: JwtServer, token: string): Promise<unknown> {
  let outcome: unknown;
  verifier.verify(token).then(
    () => {
      outcome = 200;
    },
    ({ status }) => {
      outcome = status;
    },
  );
  await eventually(() => {
    if (outcome === undefined && system.isWaitingFor(100)) system.advance(100);
    return outcome !== undefined;
  });
  return outcome;
}

/** Ends the request of the feed; the next one fails. */
async function warned({ endWaiting, system }: JwtServer): Promise<void> {
  await endWaiting();
  await eventually(() => {
    if (system.isWaitingFor(500)) system.advance(500);
    return system.warnings.length > 0;
  });
}

describe('the option warn', () => {
  for (const [how, warn] of Object.entries(failing)) {
    it(`that ${how} changes no answer, and its messages are lines on the console`, async () => {
      await using test = await jwtServer({ warn });
      await test.ready();
      const known = await test.issue();
      await test.verifier.verify(known);
      await test.waiting();
      test.feed = answerWith(503, {});
      test.tokenInfo = answerWith(503, {});
      await warned(test);
      assert.equal(await outcomeOf(test, 'wwa_opaque'), 503);
      assert.equal(await outcomeOf(test, known), 200);
      // The feed is followed as before.
      test.feed = undefined;
      test.system.advance(2000);
      await test.waiting();
      for (const warning of test.system.warnings) {
        assert.match(
          warning,
          /^The option warn threw: .+ => logger\.warn\(message\)\. The authorization server failed to answer\. Asked at http/,
        );
      }
    });
  }

  it('is called like this by options that are not wise, too', async () => {
    const system = new FakeSystem();
    const tokenInfoUrl = 'http://id.example/v1/tokeninfo';
    composeVerifier({ tokenInfoUrl, key: 'k', secret: 's', warn: new Logger().warn }, system);
    await eventually(() => system.warnings.length === 1);
    assert.match(system.warnings[0] ?? '', /^The option warn threw: .+ travel unencrypted to http/);
  });

  it('and a console that throw change no answer', async () => {
    await using test = await jwtServer({ warn: new Logger().warn });
    test.system.warn = () => {
      throw new Error('no console');
    };
    test.tokenInfo = answerWith(429, {});
    assert.equal(await outcomeOf(test, 'wwa_opaque'), 503);
  });
});

const body = { getReader: () => ({ read: async () => ({ done: true }), cancel: async () => {} }) };
const headers = { get: () => null };
const answers: Readonly<Record<string, Fetch>> = {
  throws() {
    throw new TypeError('no proxy');
  },
  'rejects with what is no error': () => Promise.reject(null),
  'answers nothing': async () => undefined as unknown as FetchAnswer,
  'answers no promise': () => ({ status: 200, headers, body }) as unknown as Promise<FetchAnswer>,
  'answers without status': async () => ({ headers, body }) as unknown as FetchAnswer,
  'answers headers that are an object': async () =>
    ({ status: 404, headers: { 'retry-after': '1' }, body }) as unknown as FetchAnswer,
  'answers headers that throw': async () => ({
    status: 500,
    headers: {
      get() {
        throw new Error('no headers');
      },
    },
    body,
  }),
  'answers a body of another kind': async () =>
    ({ status: 200, headers, body: 'text' }) as unknown as FetchAnswer,
  'answers a body that is no bytes': async () =>
    ({
      status: 200,
      headers,
      body: {
        getReader: () => ({ ...body.getReader(), read: async () => ({ done: false, value: 'text' }) }),
      },
    }) as unknown as FetchAnswer,
};

describe('the option fetch', () => {
  for (const [how, fetch] of Object.entries(answers)) {
    it(`that ${how} is 503 for tokens of both kinds, and does not end the feed`, async () => {
      let isFailing = false;
      await using test = await jwtServer({
        fetch: (url, init) => (isFailing ? fetch(url, init) : globalThis.fetch(url, init)),
      });
      await test.ready();
      await test.waiting();
      isFailing = true;
      await warned(test);
      test.system.advance(10_000);
      assert.equal(await outcomeOf(test, 'wwa_opaque'), 503);
      assert.equal(await outcomeOf(test, await test.issue()), 503);
      isFailing = false;
      test.system.advance(5000);
      await test.ready();
    });
  }
});

describe('the rule preflight', () => {
  const preflight = () => {
    throw new TokenMissing();
  };
  const request = [
    ['origin', 'https://a.example'],
    ['access-control-request-method', 'PUT'],
  ] as const;

  it('that throws an AccessError is answered in node:http and in fetch handlers', async () => {
    const server = createServer(protect(fakeVerifier(), { preflight }, () => assert.fail('the handler ran')));
    await using api = await httpApi(server, () => 0);
    assert.equal((await api.send('OPTIONS', request)).status, 401);
    const handler = protectFetch(
      fakeVerifier(),
      { preflight: async () => preflight() },
      (_: Request): Response => assert.fail('the handler ran'),
    );
    const headers = request.map(([name, value]): [string, string] => [name, value]);
    const answer = await handler(new Request('http://api.example', { method: 'OPTIONS', headers }));
    assert.equal(answer.status, 401);
  });
});
