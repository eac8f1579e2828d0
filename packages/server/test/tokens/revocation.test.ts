import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { registerClient } from '@watchword/server-testkit/clients/clients';
import {
  demoClient,
  demoResourceServer,
  readAnswer,
  startServer,
  type TestServer,
} from '@watchword/server-testkit/servers/server';
import { assertError } from '../support/error-answers.ts';

describe('POST /oauth2/revoke', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server[Symbol.asyncDispose]());
  const revoke = (form: Record<string, string> | string, credentials?: string) =>
    server.post('/oauth2/revoke', form, credentials);
  const isActive = async (token: string) =>
    (await server.post('/v1/tokeninfo', { access_token: token }, demoResourceServer)).status === 200;

  it('revokes a token of the client at once, and answers the same a second time', async () => {
    const token = await server.issueToken();
    for (let time = 0; time < 2; time += 1) {
      const answer = await revoke({ token, token_type_hint: 'refresh_token' }, demoClient);
      assert.equal(answer.status, 200);
      assert.equal(answer.text, '{}');
      assert.ok(!(await isActive(token)));
    }
  });

  it('answers 200 for a token of another client, and leaves it valid', async () => {
    const other = await registerClient(server);
    const token = await server.issueToken();
    assert.equal((await revoke({ token }, other.credentials)).status, 200);
    assert.ok(await isActive(token));
  });

  it('answers 200 for an unknown or malformed token', async () => {
    for (const token of ['garbage', `wwa_${'A'.repeat(70)}`, 'x'.repeat(10_000)]) {
      assert.equal((await revoke({ token }, demoClient)).status, 200);
    }
  });

  it('rejects a caller without or with wrong credentials', async () => {
    const token = await server.issueToken();
    assertError(await revoke({ token }), 401, 'invalid_client');
    assertError(await revoke({ token }, 'demo-service:wrong'), 401, 'invalid_client');
    assertError(await revoke({ token, client_id: 'demo-service' }), 401, 'invalid_client');
    assertError(await revoke({ token }, demoResourceServer), 401, 'invalid_client');
    assert.ok(await isActive(token));
  });

  it('accepts a public client with its client_id only', async () => {
    const { client } = await registerClient(server, {
      allowedClientCredentials: false,
      allowedImplicitGrant: true,
      redirectUris: ['https://app.example/cb'],
    });
    assert.equal((await revoke({ token: 'unknown', client_id: client.clientId })).status, 200);
  });

  it('rejects a missing, empty or repeated token', async () => {
    assertError(await revoke({}, demoClient), 400, 'invalid_request');
    assertError(await revoke({ token: '' }, demoClient), 400, 'invalid_request');
    assertError(await revoke('token=a&token=b', demoClient), 400, 'invalid_request');
  });

  it('answers POST only, and never as a script for JSONP', async () => {
    const answer = await readAnswer(
      await fetch(`${server.baseUrl}/oauth2/revoke?token=x&callback=alert`, { method: 'GET' }),
    );
    assertError(answer, 405, 'invalid_request');
    const posted = await server.post('/oauth2/revoke?callback=alert', { token: 'x' }, demoClient);
    assert.equal(posted.text, '{}');
  });
});
