import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { HTTPException } from 'hono/http-exception';
import { protect } from '../../src/hono.ts';
import { AccessError, requireScope } from '../../src/index.ts';
import { fakeVerifier } from '../../src/testing.ts';
import { addressOf, answerFor, middlewareConformance } from '../support/middleware-conformance.ts';

const url = 'http://api.example/orders';

middlewareConformance('Hono', async (verifier, rules) => {
  let calls = 0;
  const app = new Hono();
  app.use(protect(verifier, rules));
  app.options('/orders', (context) => context.body(null, 204, { 'x-preflight': 'passed' }));
  app.get('/orders', (context) => {
    calls += 1;
    return context.json(answerFor(context.get('tokenInfo'), context.req.header('x-scope')));
  });
  return {
    calls: () => calls,
    send: async (method, headers, path = '/orders') =>
      app.request(new Request(addressOf(headers, path), { method, headers: pairs(headers) })),
    async [Symbol.asyncDispose]() {},
  };
});

function pairs(headers: readonly (readonly [string, string])[]): [string, string][] {
  return headers.map(([name, value]) => [name, value]);
}

describe('with Hono', () => {
  it('an error of a helper in a handler is answered by the error handling of Hono', async () => {
    const verifier = fakeVerifier();
    const app = new Hono();
    app.get('/orders', protect(verifier), (context) =>
      context.text(requireScope(context.get('tokenInfo'), 'write').principal.name),
    );
    const headers = { authorization: `Bearer ${verifier.issue({ scopes: ['read'] })}` };
    const answer = await app.request(url, { headers });
    assert.equal(answer.status, 403);
    assert.match(answer.headers.get('www-authenticate') ?? '', /scope="write", error="insufficient_scope"/);
  });

  it('errors go to the error handling of the application if it asks for them', async () => {
    const app = new Hono();
    app.use(protect(fakeVerifier(), { scope: 'read', errors: 'throw' }));
    app.onError((error) => {
      assert.ok(error instanceof AccessError);
      return Response.json({ title: error.message }, { status: error.status, headers: error.headers });
    });
    const answer = await app.request(url, { headers: { authorization: 'Bearer made-up' } });
    assert.equal(answer.status, 401);
    assert.match(
      answer.headers.get('www-authenticate') ?? '',
      /^Bearer realm="api", scope="read", error="invalid_token"/,
    );
    assert.deepEqual(await answer.json(), { title: 'The access token is not valid.' });
  });

  it('an error of a handler or of protect passes the usual check for HTTPException', async () => {
    const verifier = fakeVerifier();
    const app = new Hono();
    app.onError((error) =>
      error instanceof HTTPException ? error.getResponse() : new Response('defect', { status: 500 }),
    );
    app.use(protect(verifier, { realm: 'orders', errors: 'throw' }));
    app.get('/orders', (context) => context.json(requireScope(context.get('tokenInfo'), 'write')));
    const answer = async (token: string) =>
      app.request(url, { headers: { authorization: `Bearer ${token}` } });
    const forbidden = await answer(verifier.issue({ scopes: ['read'] }));
    assert.equal(forbidden.status, 403);
    assert.match(forbidden.headers.get('www-authenticate') ?? '', /^Bearer realm="orders", scope="write"/);
    assert.equal((await forbidden.json()).error, 'insufficient_scope');
    assert.equal((await answer('made-up')).status, 401);
    assert.equal((await app.request(url)).status, 401);
    verifier.fail();
    assert.equal((await answer('abc')).status, 503);
  });

  it('errors keep the headers of CORS, so that a script can read them', async () => {
    const app = new Hono();
    app.use(cors({ origin: 'https://shop.example' }), protect(fakeVerifier()));
    app.get('/orders', (context) => context.text('in'));
    const answer = await app.request(url, { headers: { origin: 'https://shop.example' } });
    assert.equal(answer.status, 401);
    assert.equal(answer.headers.get('access-control-allow-origin'), 'https://shop.example');
  });

  it('a defect of the verifier goes to the error handling and gives no access', async (t) => {
    t.mock.method(console, 'error', () => {});
    const app = new Hono();
    app.use(protect({ verify: () => Promise.reject(new Error('a defect')) }));
    app.get('/orders', (context) => context.text('in'));
    const answer = await app.request(url, { headers: { authorization: 'Bearer abc' } });
    assert.equal(answer.status, 500);
  });
});
