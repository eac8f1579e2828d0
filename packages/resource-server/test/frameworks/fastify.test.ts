import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fastify } from 'fastify';
import { protect } from '../../src/fastify.ts';
import { AccessError, requireScope } from '../../src/index.ts';
import { fakeVerifier } from '../../src/testing.ts';
import { httpApi } from '../support/http-api.ts';
import { answerFor, middlewareConformance } from '../support/middleware-conformance.ts';

middlewareConformance('Fastify', async (verifier, rules) => {
  let calls = 0;
  const app = fastify();
  app.addHook('onRequest', protect(verifier, rules));
  app.options('/orders', (_request, reply) => reply.header('x-preflight', 'passed').send());
  app.get('/orders', async (request) => {
    calls += 1;
    return answerFor(request.tokenInfo, request.headers['x-scope']);
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return httpApi(app.server, () => calls);
});

describe('with Fastify', () => {
  it('a route can have a rule of its own in addition to that of the application', async () => {
    const verifier = fakeVerifier();
    const app = fastify();
    app.addHook('onRequest', protect(verifier, { scope: 'read' }));
    app.delete('/orders', { onRequest: protect(verifier, { scope: 'write' }) }, async () => 'gone');
    const answer = async (scopes: string[]) => {
      const authorization = `Bearer ${verifier.issue({ scopes })}`;
      return (await app.inject({ method: 'DELETE', url: '/orders', headers: { authorization } })).statusCode;
    };
    assert.equal(await answer(['read', 'write']), 200);
    assert.equal(await answer(['read']), 403);
    assert.equal(await answer(['write']), 403);
  });

  it('one challenge has the scopes of the application, the route and the helper, so that a client asks once', async () => {
    const verifier = fakeVerifier();
    const app = fastify();
    app.addHook('onRequest', protect(verifier, { scope: 'read', realm: 'orders' }));
    app.delete('/orders', { onRequest: protect(verifier, { scope: 'write' }) }, async ({ tokenInfo }) =>
      requireScope(tokenInfo, 'delete'),
    );
    const challengeTo = async (...scopes: string[]) => {
      const headers = { authorization: `Bearer ${verifier.issue({ scopes })}` };
      return String(
        (await app.inject({ method: 'DELETE', url: '/orders', headers })).headers['www-authenticate'],
      );
    };
    assert.match(await challengeTo(), /^Bearer realm="orders", scope="read", /);
    assert.match(await challengeTo('read'), /^Bearer realm="orders", scope="read write", /);
    assert.match(await challengeTo('read', 'write'), /^Bearer realm="orders", scope="read write delete", /);
  });

  it('an error of a helper in a handler is answered by the error handling of Fastify', async () => {
    const verifier = fakeVerifier();
    const app = fastify();
    app.get('/orders', { onRequest: protect(verifier) }, async ({ tokenInfo }) =>
      requireScope(tokenInfo, 'write'),
    );
    app.get('/open', async ({ tokenInfo }) => requireScope(tokenInfo, 'write'));
    const headers = { authorization: `Bearer ${verifier.issue({ scopes: ['read'] })}` };
    const forbidden = await app.inject({ url: '/orders', headers });
    assert.equal(forbidden.statusCode, 403);
    assert.match(String(forbidden.headers['www-authenticate']), /scope="write", error="insufficient_scope"/);
    // A route where the middleware was forgotten.
    assert.equal((await app.inject({ url: '/open', headers })).statusCode, 401);
  });

  it('errors go to the error handling of the application if it asks for them', async () => {
    const app = fastify();
    app.addHook('onRequest', protect(fakeVerifier(), { scope: 'read', errors: 'throw' }));
    app.setErrorHandler((error, _request, reply) => {
      assert.ok(error instanceof AccessError);
      return reply.code(error.status).headers(error.headers).send({ title: error.message });
    });
    app.get('/orders', async () => 'in');
    const answer = await app.inject({ url: '/orders' });
    assert.equal(answer.statusCode, 401);
    assert.equal(answer.headers['www-authenticate'], 'Bearer realm="api", scope="read"');
    assert.deepEqual(answer.json(), { title: 'The request needs an access token: Authorization: Bearer.' });
  });

  it('a defect of the verifier goes to the error handling and gives no access', async () => {
    const app = fastify();
    app.addHook('onRequest', protect({ verify: () => Promise.reject(new Error('a defect')) }));
    app.get('/orders', async () => 'in');
    const answer = await app.inject({ url: '/orders', headers: { authorization: 'Bearer abc' } });
    assert.equal(answer.statusCode, 500);
  });
});
