import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import type { NodeRequest, NodeResponse } from '../../src/bearer/node-http.ts';
import { requireScope, TokenRejected } from '../../src/index.ts';
import { protect } from '../../src/node.ts';
import { fakeVerifier } from '../../src/testing.ts';
import { httpApi } from '../support/http-api.ts';
import { answerFor, middlewareConformance } from '../support/middleware-conformance.ts';

middlewareConformance('node:http', async (verifier, rules) => {
  let calls = 0;
  const server = createServer(
    protect(
      verifier,
      {
        ...rules,
        preflight: (_request, response) => void response.writeHead(204, { 'x-preflight': 'passed' }).end(),
      },
      (request, response) => {
        calls += 1;
        response.end(JSON.stringify(answerFor(request.tokenInfo, request.headers['x-scope'])));
      },
    ),
  );
  return httpApi(server, () => calls);
});

describe('a protected handler of node:http', () => {
  it('never gets a preflight, which is answered with 204', async () => {
    const server = createServer(protect(fakeVerifier(), {}, () => assert.fail('the handler ran')));
    await using api = await httpApi(server, () => 0);
    const answer = await api.send('OPTIONS', [
      ['origin', 'https://a.example'],
      ['access-control-request-method', 'PUT'],
    ]);
    assert.equal(answer.status, 204);
    assert.equal(answer.headers.get('access-control-allow-origin'), null);
  });

  it('answers the error of a helper', async () => {
    const verifier = fakeVerifier();
    const server = createServer(
      protect(verifier, {}, async (request, response) => {
        response.end(requireScope(request.tokenInfo, 'write').principal.name);
      }),
    );
    await using api = await httpApi(server, () => 0);
    const answer = await api.send('GET', [
      ['authorization', `Bearer ${verifier.issue({ scopes: ['read'] })}`],
    ]);
    assert.equal(answer.status, 403);
    assert.match(answer.headers.get('www-authenticate') ?? '', /scope="write"/);
  });

  it('passes on every other error', async () => {
    const verifier = fakeVerifier();
    const handler = protect(verifier, {}, (_request: NodeRequest, _response: NodeResponse) => {
      throw new Error('a defect');
    });
    const request = { method: 'GET', headers: { authorization: `Bearer ${verifier.issue()}` } };
    const response = { statusCode: 200, headersSent: false, setHeader() {}, end() {} };
    await assert.rejects(handler(request, response), /a defect/);
  });

  it('an error after the API has answered has no effect', async () => {
    let refuse = () => {};
    const verify = () =>
      new Promise<never>((_, reject) => {
        refuse = () => reject(new TokenRejected('unknown'));
      });
    const guarded = protect({ verify }, {}, () => assert.fail('the handler ran'));
    const done: Promise<void>[] = [];
    const server = createServer((request, response) => {
      response.on('finish', () => refuse());
      done.push(guarded(request, response));
      response.writeHead(504).end();
    });
    await using api = await httpApi(server, () => 0);
    assert.equal((await api.send('GET', [['authorization', 'Bearer abc']])).status, 504);
    await Promise.all(done);
  });
});
