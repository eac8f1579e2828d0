import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import Koa from 'koa';
import { AccessError, requireScope, TokenRejected } from '../../src/index.ts';
import { type KoaState, protect } from '../../src/koa.ts';
import { fakeVerifier } from '../../src/testing.ts';
import { httpApi } from '../support/http-api.ts';
import { answerFor, middlewareConformance } from '../support/middleware-conformance.ts';

const read = ['authorization', 'Bearer abc'] as const;

middlewareConformance('Koa', async (verifier, rules) => {
  let calls = 0;
  const app = new Koa<KoaState>();
  app.use(protect(verifier, rules));
  app.use((context) => {
    if (context.method === 'OPTIONS') {
      context.set('x-preflight', 'passed');
      context.status = 204;
      return;
    }
    calls += 1;
    context.body = answerFor(context.state.tokenInfo, context.headers['x-scope']);
  });
  return httpApi(createServer(app.callback()), () => calls);
});

describe('with Koa', () => {
  it('neither a refusal nor an error of a helper is written to standard error', async (t) => {
    const written = silent(t);
    const verifier = fakeVerifier();
    const app = new Koa<KoaState>();
    app.use(protect(verifier));
    app.use((context) => {
      context.body = requireScope(context.state.tokenInfo, 'write').principal.name;
    });
    await using api = await httpApi(createServer(app.callback()), () => 0);
    const token = verifier.issue({ scopes: ['read'] });
    assert.equal((await api.send('GET', [])).status, 401);
    const forbidden = await api.send('GET', [['authorization', `Bearer ${token}`]]);
    assert.equal(forbidden.status, 403);
    assert.match(
      forbidden.headers.get('www-authenticate') ?? '',
      /scope="write", error="insufficient_scope"/,
    );
    verifier.fail();
    assert.equal((await api.send('GET', [read])).status, 503);
    assert.equal(written(), 0);
  });

  it('errors keep the headers of middleware before, so that a script can read them', async () => {
    const app = new Koa();
    app.use(async (context, next) => {
      context.set('access-control-allow-origin', 'https://shop.example');
      await next();
    });
    app.use(protect(fakeVerifier()));
    await using api = await httpApi(createServer(app.callback()), () => 0);
    const answer = await api.send('GET', []);
    assert.equal(answer.status, 401);
    assert.equal(answer.headers.get('access-control-allow-origin'), 'https://shop.example');
  });

  it('errors go to the error handling of the application if it asks for them', async () => {
    const app = new Koa();
    app.use(async (context, next) => {
      try {
        await next();
      } catch (error) {
        assert.ok(error instanceof AccessError);
        context.status = error.status;
        context.set(error.headers);
        context.body = { title: error.message };
      }
    });
    app.use(protect(fakeVerifier(), { scope: 'read', errors: 'throw' }));
    await using api = await httpApi(createServer(app.callback()), () => 0);
    const answer = await api.send('GET', []);
    assert.equal(answer.status, 401);
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer realm="api", scope="read"');
    assert.deepEqual(await answer.json(), {
      title: 'The request needs an access token: Authorization: Bearer.',
    });
  });

  it('a defect of the verifier goes to the error handling and gives no access', async (t) => {
    const written = silent(t);
    const app = new Koa();
    app.use(protect({ verify: () => Promise.reject(new Error('a defect')) }));
    app.use((context) => {
      context.body = 'in';
    });
    await using api = await httpApi(createServer(app.callback()), () => 0);
    assert.equal((await api.send('GET', [read])).status, 500);
    assert.ok(written() > 0);
  });

  it('an error after the API has answered has no effect', async (t) => {
    const written = silent(t);
    let refuse = () => {};
    const verify = () =>
      new Promise<never>((_, reject) => {
        refuse = () => reject(new TokenRejected('unknown'));
      });
    const ended: Promise<unknown>[] = [];
    const app = new Koa();
    app.use((context, next) => {
      context.res.on('finish', () => refuse());
      const end = next();
      ended.push(end);
      // A time-out of the API's own.
      context.res.writeHead(504).end();
      return end;
    });
    app.use(protect({ verify }));
    await using api = await httpApi(createServer(app.callback()), () => 0);
    for (const _ of [1, 2]) assert.equal((await api.send('GET', [read])).status, 504);
    await Promise.all(ended);
    assert.equal(written(), 0);
  });
});

/** Koa writes errors to the console; returns how often. */
function silent(t: TestContext): () => number {
  const written = t.mock.method(console, 'error', () => {});
  return () => written.mock.callCount();
}
