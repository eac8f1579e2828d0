import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { protect } from '../../src/fetch.ts';
import { requireScope } from '../../src/index.ts';
import { fakeVerifier } from '../../src/testing.ts';
import { addressOf, answerFor, middlewareConformance } from '../support/middleware-conformance.ts';

const url = 'http://api.example/orders';
const withToken = (token: string) => new Request(url, { headers: { authorization: `Bearer ${token}` } });

middlewareConformance('fetch handlers', async (verifier, rules) => {
  let calls = 0;
  const preflight = () => new Response(null, { status: 204, headers: { 'x-preflight': 'passed' } });
  const handler = protect(verifier, { ...rules, preflight }, (request: Request, tokenInfo) => {
    calls += 1;
    return Response.json(answerFor(tokenInfo, request.headers.get('x-scope')));
  });
  return {
    calls: () => calls,
    send: (method, headers, path = '/orders') =>
      handler(
        new Request(addressOf(headers, path), {
          method,
          headers: headers.map(([name, value]) => [name, value]),
        }),
      ),
    async [Symbol.asyncDispose]() {},
  };
});

describe('a protected fetch handler', () => {
  it('gets the further arguments of the runtime', async () => {
    const verifier = fakeVerifier();
    const handler = protect(
      verifier,
      {},
      (_request: Request, info, env: { table: string }, context: object) =>
        Response.json([info.principal.name, env.table, context]),
    );
    const answer = await handler(withToken(verifier.issue()), { table: 'orders' }, { id: 1 });
    assert.deepEqual(await answer.json(), ['test-user', 'orders', { id: 1 }]);
  });

  it('never gets a preflight, which is answered with 204', async () => {
    const handler = protect(fakeVerifier(), {}, () => assert.fail('the handler ran'));
    const answer = await handler(
      new Request(url, {
        method: 'OPTIONS',
        headers: { origin: 'https://a.example', 'access-control-request-method': 'PUT' },
      }),
    );
    assert.ok(answer instanceof Response);
    assert.equal(answer.status, 204);
    assert.deepEqual([...answer.headers], []);
  });

  it('answers the error of a helper, and passes on every other error', async () => {
    const verifier = fakeVerifier();
    const token = verifier.issue({ scopes: ['read'] });
    const picky = protect(verifier, {}, (_request: Request, info) =>
      Response.json(requireScope(info, 'write')),
    );
    assert.equal((await picky(withToken(token))).status, 403);
    const broken = protect(verifier, {}, async (_request: Request): Promise<Response> => {
      throw new Error('a defect');
    });
    await assert.rejects(broken(withToken(token)), /a defect/);
  });
});
