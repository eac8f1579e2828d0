import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Fastify from 'fastify';
import { callerRequests } from '../src/http/credentialed-request.ts';

/** What the rules see of a request that comes over HTTP. */
async function seen(baseUrl: string, target: string, headers: Record<string, string> = {}) {
  const requests = callerRequests(baseUrl);
  await using app = Fastify();
  app.get('/*', async (request) => {
    const { method, url, headers, source } = requests.head(request);
    return { method, url, headers, source };
  });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  return (await fetch(`${address}${target}`, { headers })).json();
}

describe('a request whose caller must authenticate', () => {
  it('has the absolute URL below the base URL, without the query', async () => {
    for (const [baseUrl, target, url] of [
      ['https://as.example', '/oauth2/token', 'https://as.example/oauth2/token'],
      ['https://as.example/auth', '/auth/oauth2/token?a=b?c', 'https://as.example/auth/oauth2/token'],
      ['http://localhost:8080', '/v1/tokeninfo?access_token=x', 'http://localhost:8080/v1/tokeninfo'],
    ] as const) {
      assert.equal((await seen(baseUrl, target)).url, url);
    }
  });

  it('has the method, the source and the headers, by names in lower case', async () => {
    const { method, source, headers } = await seen('https://as.example', '/', { DPoP: 'proof' });
    assert.deepEqual([method, source, headers.dpop], ['GET', '127.0.0.1', 'proof']);
  });
});
