import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callerRequests } from '../src/http/credentialed-request.ts';
import type { HttpRequest } from '../src/http/request.ts';

const request: HttpRequest = {
  id: 'request-1',
  method: 'GET',
  url: '/',
  headers: {},
  source: '127.0.0.1',
  route: '/',
  parameters: {},
  body: undefined,
};

describe('a request whose caller must authenticate', () => {
  it('has the absolute URL below the base URL, without the query', () => {
    for (const [baseUrl, target, url] of [
      ['https://as.example', '/oauth2/token', 'https://as.example/oauth2/token'],
      ['https://as.example/auth', '/auth/oauth2/token?a=b?c', 'https://as.example/auth/oauth2/token'],
      ['http://localhost:8080', '/v1/tokeninfo?access_token=x', 'http://localhost:8080/v1/tokeninfo'],
    ] as const) {
      assert.equal(callerRequests(baseUrl).head({ ...request, url: target }).url, url);
    }
  });

  it('has the method, the source and the headers', () => {
    const { method, source, headers } = callerRequests('https://as.example').head({
      ...request,
      headers: { dpop: 'proof' },
    });
    assert.deepEqual([method, source, headers.dpop], ['GET', '127.0.0.1', 'proof']);
  });
});
