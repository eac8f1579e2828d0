import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { slowSuite } from '@watchword/testkit';
import express5, { type ErrorRequestHandler } from 'express';
import { protect } from '../../src/express.ts';
import { AccessError, requireScope, TokenRejected } from '../../src/index.ts';
import { fakeVerifier } from '../../src/testing.ts';
import { httpApi } from '../support/http-api.ts';
import { answerFor, middlewareConformance } from '../support/middleware-conformance.ts';

// With Express 5 the same code does the same.
slowSuite('with an older version', () => rulesOf('Express 4', createRequire(import.meta.url)('express4')));
rulesOf('Express 5', express5);

function rulesOf(name: string, express: typeof express5): void {
  middlewareConformance(name, async (verifier, rules) => {
    let calls = 0;
    const app = express().set('env', 'test');
    app.use(protect(verifier, rules));
    app.options('/orders', (_request, response) => void response.setHeader('x-preflight', 'passed').end());
    app.get('/orders', (request, response) => {
      calls += 1;
      response.json(answerFor(request.tokenInfo, request.headers['x-scope']));
    });
    return httpApi(createServer(app), () => calls);
  });

  describe(`with ${name}`, () => {
    it('the metadata are at their address also where the middleware stands before a part of the paths', async () => {
      const app = express().set('env', 'test');
      const verifier = fakeVerifier({ resource: 'https://api.example/orders' });
      app.use('/.well-known', protect(verifier));
      await using api = await httpApi(createServer(app), () => 0);
      const { status } = await api.send('GET', [], '/.well-known/oauth-protected-resource/orders');
      assert.equal(status, 200);
    });

    it('an error of a helper in a handler is answered by the error handling of Express', async () => {
      const verifier = fakeVerifier();
      const app = express().set('env', 'test');
      app.get('/orders', protect(verifier), (request, response) => {
        response.json(requireScope(request.tokenInfo, 'write').principal.name);
      });
      await using api = await httpApi(createServer(app), () => 0);
      const answer = await api.send('GET', [
        ['authorization', `Bearer ${verifier.issue({ scopes: ['read'] })}`],
      ]);
      assert.equal(answer.status, 403);
      assert.match(answer.headers.get('www-authenticate') ?? '', /scope="write", error="insufficient_scope"/);
    });

    it('errors go to the error handling of the application if it asks for them', async () => {
      const app = express();
      app.use(protect(fakeVerifier(), { scope: 'read', errors: 'throw' }));
      app.use(((error, _request, response, _next) => {
        assert.ok(error instanceof AccessError);
        response.status(error.status).set(error.headers).type('application/problem+json');
        response.send(JSON.stringify({ title: error.message }));
      }) satisfies ErrorRequestHandler);
      await using api = await httpApi(createServer(app), () => 0);
      const answer = await api.send('GET', [['authorization', 'Bearer made-up']]);
      assert.equal(answer.status, 401);
      assert.match(
        answer.headers.get('www-authenticate') ?? '',
        /^Bearer realm="api", scope="read", error="invalid_token"/,
      );
      assert.deepEqual(await answer.json(), { title: 'The access token is not valid.' });
    });

    it('a defect of the verifier goes to the error handling and gives no access', async () => {
      const app = express().set('env', 'test');
      app.use(protect({ verify: () => Promise.reject(new Error('a defect')) }));
      app.get('/orders', (_request, response) => void response.send('in'));
      await using api = await httpApi(createServer(app), () => 0);
      assert.equal((await api.send('GET', [['authorization', 'Bearer abc']])).status, 500);
    });

    it('an error after the API has answered has no effect', async () => {
      let refuse = () => {};
      const verify = () =>
        new Promise<never>((_, reject) => {
          refuse = () => reject(new TokenRejected('unknown'));
        });
      const app = express();
      app.use((_request, response, next) => {
        response.on('finish', () => refuse());
        next();
        // A time-out of the API's own.
        response.status(504).end();
      });
      app.use(protect({ verify }));
      await using api = await httpApi(createServer(app), () => 0);
      for (const _ of [1, 2]) {
        assert.equal((await api.send('GET', [['authorization', 'Bearer abc']])).status, 504);
      }
    });
  });
}
