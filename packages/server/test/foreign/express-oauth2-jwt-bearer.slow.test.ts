import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { registerClient, registerResourceServer } from '@watchword/server-testkit/clients/clients';
import { readAnswer, startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { startSite, type TestSite } from '@watchword/testkit/site';
import express from 'express';
import { auth, requiredScopes } from 'express-oauth2-jwt-bearer';

// In `npm test`, oauth4webapi.test.ts verifies a token as an API.
describe('express-oauth2-jwt-bearer, an independent library for APIs', () => {
  let server: TestServer;
  let site: TestSite;
  let credentials: string;
  before(async () => {
    server = await startServer();
    const { resourceServer } = await registerResourceServer(server, 'Orders API', {
      accessTokenFormat: 'jwt',
    });
    ({ credentials } = await registerClient(server, { expireDuration: 60 }, resourceServer.key));
    const api = express().set('env', 'test');
    // The library knows the keys and the algorithm from the metadata of the issuer.
    api.use(
      auth({ issuerBaseURL: server.service.baseUrl, audience: resourceServer.key, strict: true }),
      requiredScopes('read'),
    );
    api.get('/orders', (request, response) => void response.json(request.auth?.payload));
    site = await startSite(api);
  });
  after(async () => {
    await Promise.all([server, site].map((each) => each?.[Symbol.asyncDispose]()));
  });

  const get = async (token: string) =>
    readAnswer(await fetch(`${site.url}/orders`, { headers: { authorization: `Bearer ${token}` } }));

  it('accepts a JWT access token, and no other text', async () => {
    const answer = await server.post('/oauth2/token', { grant_type: 'client_credentials' }, credentials);
    const { status, json } = await get(answer.json.access_token);
    assert.equal(status, 200);
    assert.equal(json.scope, 'read');
    for (const text of [await server.issueToken(), `${answer.json.access_token.slice(0, -2)}AA`])
      assert.equal((await get(text)).status, 401);
  });
});
