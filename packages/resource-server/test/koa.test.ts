import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import Koa from 'koa';
import { createGuard, requireScope } from '../src/index.ts';
import { fakeVerifier } from '../src/testing.ts';
import { httpApi } from './support/http-api.ts';

async function start(t: TestContext) {
  const written = t.mock.method(console, 'error', () => {});
  const verifier = fakeVerifier();
  const guard = createGuard(verifier, { scope: 'read', realm: 'orders' });
  const app = new Koa();
  app.use(async ({ req, state }, next) => {
    state.tokenInfo = await guard(req.headersDistinct.authorization);
    await next();
  });
  app.use((context) => {
    context.body = requireScope(context.state.tokenInfo, context.get('x-scope')).principal.name;
  });
  return {
    verifier,
    written: () => written.mock.callCount(),
    api: await httpApi(createServer(app.callback()), () => 0),
  };
}

describe('with Koa', () => {
  it('an error of a caller is answered, and writes nothing to standard error', async (t) => {
    const { verifier, api, written } = await start(t);
    await using _ = api;
    const authorization = ['authorization', `Bearer ${verifier.issue({ scopes: ['read'] })}`] as const;
    assert.equal((await api.send('GET', [authorization, ['x-scope', 'read']])).status, 200);
    for (const [headers, status, challenge] of [
      [[], 401, /^Bearer realm="orders", scope="read"$/],
      [[['authorization', 'Bearer made-up']], 401, /error="invalid_token"/],
      [[authorization, authorization], 400, /error="invalid_request"/],
      [
        [authorization, ['x-scope', 'write']],
        403,
        /^Bearer realm="orders", scope="write", error="insufficient_scope"/,
      ],
      [
        [authorization, ['x-scope', 'tenant:caf\u00e9']],
        403,
        /^Bearer realm="orders", error="insufficient_scope"/,
      ],
    ] as const) {
      const answer = await api.send('GET', headers);
      assert.equal(answer.status, status);
      assert.match(answer.headers.get('www-authenticate') ?? '', challenge);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
    }
    assert.equal(written(), 0);
  });

  it('an outage is 503 with Retry-After, and Koa reports it', async (t) => {
    const { verifier, api, written } = await start(t);
    await using _ = api;
    verifier.fail();
    const answer = await api.send('GET', [['authorization', 'Bearer abc']]);
    assert.equal(answer.status, 503);
    assert.equal(answer.headers.get('retry-after'), '1');
    assert.ok(written() > 0);
  });
});
