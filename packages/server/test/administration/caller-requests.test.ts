import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callerRequests } from '../../src/http/credentialed-request.ts';
import type { HttpRequest } from '../../src/http/request.ts';
import { serveEndpoints } from '../support/endpoint-server.ts';
import { parseRaw, rawRequest } from '../support/raw-http.ts';

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

  it('has the URL that the client of the base URL sees, in whichever form it sends the target', async () => {
    const path = '/auth/oauth2/token';
    const requests = callerRequests('https://as.example/auth');
    const answer = (request: HttpRequest) => ({ body: { url: requests.head(request).url } });
    await using server = await serveEndpoints([
      { path, methods: { GET: answer } },
      { path: '/', methods: { GET: answer } },
    ]);
    for (const [target, url] of [
      [path, `https://as.example${path}`],
      [`${path}?a=b?c`, `https://as.example${path}`],
      [`${path}#fragment`, `https://as.example${path}`],
      [`http://as.example:8080${path}`, `https://as.example${path}`],
      [`HTTPS://proxy.example${path}?a=http://b/c`, `https://as.example${path}`],
      [`http://user@[::1]:80${path}?a`, `https://as.example${path}`],
      ['http://as.example', 'https://as.example/'],
      [`http://as.example?a=${path}`, 'https://as.example/'],
    ] as const) {
      const head = `GET ${target} HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n`;
      const { status, body } = parseRaw(await rawRequest(server.port, head));
      assert.deepEqual([status, body], [200, { url }], target);
    }
  });

  it('is not found by a target of another scheme', async () => {
    await using server = await serveEndpoints([{ path: '/page', methods: { GET: () => ({ body: {} }) } }]);
    const head = 'GET ftp://as.example/page HTTP/1.1\r\nHost: as.example\r\nConnection: close\r\n\r\n';
    assert.equal(parseRaw(await rawRequest(server.port, head)).status, 404);
  });
});
