import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { sha256 } from '@watchword/proofs';
import { rounds } from '@watchword/testkit';
import { accept, answerWith, emma, hang, reject } from '../support/authorization-server.ts';
import { FakeSystem } from '../support/fake-system.ts';
import { startVerifier } from '../support/verifier.ts';

const unknown = { name: 'TokenRejected', code: 'invalid_token', status: 401, reason: 'unknown' };
const expired = { name: 'TokenRejected', code: 'invalid_token', status: 401, reason: 'expired' };

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

describe('a verifier', () => {
  it('sends its credentials, and the token in the form, and returns what the server answers', async () => {
    await using test = await startVerifier();
    assert.deepEqual(await test.verifier.verify('some~token/+=='), emma);
    const [request] = test.server.requests;
    assert.equal(request?.method, 'POST');
    assert.equal(request?.url, '/v1/tokeninfo');
    assert.deepEqual([...(request?.form ?? [])], [['access_token', 'some~token/+==']]);
    assert.equal(request?.headers.authorization, `Basic ${btoa('orders-api:its-secret')}`);
    assert.equal(request?.headers['content-type'], 'application/x-www-form-urlencoded');
    assert.equal(request?.headers['user-agent'], `watchword-resource-server/${version}`);
  });

  it('sends its lookups to exactly the configured address, with or without placeholders', async () => {
    await using test = await startVerifier();
    const { origin } = new URL(test.server.url);
    for (const path of [
      '/',
      '/auth/v1/tokeninfo',
      '/:id/{x}',
      '/a%2Fb/',
      '/tokeninfo/%7Bx%7D',
      '//v1/tokeninfo',
      '//',
      '//a//',
    ]) {
      const tokenInfoUrl = `${origin}${path}`;
      await using other = await startVerifier(undefined, { tokenInfoUrl });
      await other.verifier.verify('a');
      assert.equal(test.server.requests.at(-1)?.url, new URL(tokenInfoUrl).pathname);
    }
  });

  it('makes one lookup while the answer is fresh', async () => {
    await using test = await startVerifier();
    const first = await test.verifier.verify('a');
    test.system.advance(299_999);
    assert.equal(await test.verifier.verify('a'), first);
    assert.equal(test.server.requests.length, 1);
    test.system.advance(1);
    await test.verifier.verify('a');
    assert.equal(test.server.requests.length, 2);
  });

  it('never uses the answer of one token for another', async () => {
    await using test = await startVerifier(({ form }, response) =>
      accept({ audience: `client of ${form.get('access_token')}` })({} as never, response),
    );
    const tokens = Array.from({ length: 70 }, (_, index) => `token-${index}`);
    for (const _ of [1, 2]) {
      const infos = await Promise.all(tokens.map((token) => test.verifier.verify(token)));
      assert.deepEqual(
        infos.map(({ audience }) => audience),
        tokens.map((token) => `client of ${token}`),
      );
    }
    assert.equal(test.server.requests.length, 70);
  });

  it('removes a successful answer when the token expires', async () => {
    const system = new FakeSystem();
    await using test = await startVerifier(accept({ expires_in: system.now() + 10_000 }), {}, system);
    await test.verifier.verify('a');
    test.server.answer(answerWith(410, { error: 'token_expired' }));
    system.advance(9999);
    await test.verifier.verify('a');
    system.advance(1);
    await assert.rejects(test.verifier.verify('a'), expired);
    assert.equal(test.server.requests.length, 2);
  });

  it('rejects a token that has expired by its own clock, also when the server accepts it', async () => {
    const system = new FakeSystem();
    await using test = await startVerifier(accept({ expires_in: system.now() }), {}, system);
    await assert.rejects(test.verifier.verify('a'), expired);
    await assert.rejects(test.verifier.verify('a'), expired);
    assert.equal(test.server.requests.length, 1);
  });

  it('rejects a token that expires during the lookup', async () => {
    const system = new FakeSystem();
    await using test = await startVerifier(hang, {}, system);
    const verified = assert.rejects(test.verifier.verify('a'), expired);
    test.server.answer((request, response) => {
      system.advance(1000);
      accept({ expires_in: Date.UTC(2026, 0, 1) + 500 })(request, response);
    });
    await verified;
  });

  it('keeps a rejection for five seconds', async () => {
    await using test = await startVerifier(reject);
    await assert.rejects(test.verifier.verify('a'), unknown);
    test.server.answer(accept());
    test.system.advance(4999);
    await assert.rejects(test.verifier.verify('a'), unknown);
    test.system.advance(1);
    await test.verifier.verify('a');
    assert.equal(test.server.requests.length, 2);
  });

  it('makes no lookup for a text that cannot be a token', async () => {
    await using test = await startVerifier();
    for (const token of ['', 'a b', 'a\0', 'a'.repeat(14_337), 'ä', undefined, null, {}] as string[]) {
      await assert.rejects(test.verifier.verify(token), { name: 'TokenRejected', reason: 'malformed' });
    }
    assert.equal(test.server.requests.length, 0);
  });

  it('keeps at most maxEntries answers, those that were used last', async () => {
    await using test = await startVerifier(accept(), { cache: { maxEntries: 2 } });
    for (const token of ['a', 'b', 'a', 'c', 'a', 'b']) await test.verifier.verify(token);
    assert.deepEqual(
      test.server.requests.map(({ form }) => form.get('access_token')),
      ['a', 'b', 'c', 'b'],
    );
  });

  it('works when its functions are called without their object', async () => {
    await using test = await startVerifier();
    const { verify, invalidate } = test.verifier;
    assert.deepEqual(await verify('a'), emma);
    await invalidate('a');
    await verify('a');
    assert.equal(test.server.requests.length, 2);
  });

  it('calls the given fetch as a function without an object', async () => {
    const asked: unknown[] = [];
    await using test = await startVerifier(hang, {
      async fetch(this: unknown, url, { method, redirect, headers, body }) {
        asked.push([this, url, method, redirect, Object.keys(headers).sort(), body]);
        return Response.json(emma);
      },
    });
    assert.deepEqual(await test.verifier.verify('a+b/c='), emma);
    const headers = ['accept', 'authorization', 'content-type', 'user-agent'];
    const body = 'access_token=a%2Bb%2Fc%3D';
    assert.deepEqual(asked, [[undefined, test.server.url, 'POST', 'manual', headers, body]]);
  });

  it('keeps only the digest of a token', async () => {
    const system = new FakeSystem();
    system.digest = () => 'the same for all';
    await using test = await startVerifier(accept(), {}, system);
    const first = await test.verifier.verify('a');
    assert.equal(await test.verifier.verify('b'), first);
  });
});

for (const [name, digest] of [
  ['node:crypto', sha256],
  ['SubtleCrypto', async (text: string) => sha256(text)],
] as const) {
  describe(`with digests of ${name}`, () => {
    const start = async (...args: Parameters<typeof startVerifier>) => {
      const system = new FakeSystem();
      system.digest = digest;
      return startVerifier(args[0], args[1], system);
    };

    it('many requests with one token make one lookup, for a valid and an invalid token', async () => {
      await using test = await start();
      const all = await Promise.all(Array.from({ length: 100 }, () => test.verifier.verify('a')));
      assert.equal(new Set(all).size, 1);
      assert.equal(test.server.requests.length, 1);
      test.server.answer(reject);
      const rejected = await Promise.allSettled(Array.from({ length: 100 }, () => test.verifier.verify('b')));
      assert.ok(rejected.every(({ status }) => status === 'rejected'));
      assert.equal(test.server.requests.length, 2);
    });

    it('many requests with several tokens make a lookup for each token', async () => {
      await using test = await start();
      const tokens = rounds(20, 1000);
      const verified = Array.from({ length: tokens * 10 }, (_, index) =>
        test.verifier.verify(`token-${index % tokens}`),
      );
      await Promise.all(verified);
      assert.equal(test.server.requests.length, tokens);
      assert.equal(new Set(test.server.requests.map(({ form }) => form.get('access_token'))).size, tokens);
    });

    it('an invalidated token is looked up again', async () => {
      await using test = await start();
      await test.verifier.verify('a');
      test.server.answer(reject);
      await test.verifier.invalidate('a');
      await assert.rejects(test.verifier.verify('a'), unknown);
      test.server.answer(accept());
      await test.verifier.invalidate('a');
      await test.verifier.verify('a');
      assert.equal(test.server.requests.length, 3);
    });

    it('a lookup that began before an invalidation is neither shared nor kept', async () => {
      const answers: (() => void)[] = [];
      await using test = await start((request, response) => {
        answers.push(() => accept({ audience: `answer ${answers.length}` })(request, response));
      });
      const before = test.verifier.verify('a');
      await test.server.received(1);
      await test.verifier.invalidate('a');
      const after = test.verifier.verify('a');
      await test.server.received(2);
      test.server.answer(reject);
      answers[1]?.();
      await after;
      // The old answer comes last, and is not put over the new one.
      answers[0]?.();
      await before;
      assert.equal(await test.verifier.verify('a'), await after);
      assert.equal(test.server.requests.length, 2);
    });

    it('an old rejection ends with an invalidation', async () => {
      let answerFirst = () => {};
      await using test = await start((request, response) => {
        answerFirst = () => reject(request, response);
      });
      const before = assert.rejects(test.verifier.verify('a'), unknown);
      await test.server.received(1);
      await test.verifier.invalidate('a');
      test.server.answer(accept());
      answerFirst();
      await before;
      assert.deepEqual(await test.verifier.verify('a'), emma);
    });
  });
}
