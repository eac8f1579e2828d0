import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Application,
  isActive,
  registerApplication,
} from '@watchword/server-testkit/clients/application';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { writeLock } from '@watchword/server-testkit/servers/write-lock';
import { assertError } from '../../support/error-answers.ts';

describe('a revocation of tokens that a user granted', () => {
  let server: TestServer;
  let app: Application;
  let other: Application;
  let publicApp: Application;
  before(async () => {
    server = await startServer();
    app = await registerApplication(server);
    other = await registerApplication(server);
    publicApp = await registerApplication(server, { allowedImplicitGrant: true });
  });
  after(() => server[Symbol.asyncDispose]());

  const revoke = (form: Record<string, string>, credentials?: string) =>
    server.post('/oauth2/revoke', form, credentials);

  it('RV-1: by another client is answered 200 and changes nothing', async () => {
    const { access_token, refresh_token } = await app.obtainTokens();
    const answers = [
      await revoke({ token: access_token }, other.credentials),
      await revoke({ token: refresh_token }, other.credentials),
      await revoke({ token: 'unknown' }, other.credentials),
      await revoke({ token: refresh_token, client_id: publicApp.client.clientId }),
    ];
    for (const answer of answers) {
      assert.equal(answer.status, 200);
      assert.equal(answer.text, '{}');
    }
    assert.ok(await isActive(server, access_token));
    assert.equal((await app.refresh(refresh_token)).status, 200);
  });

  it('RV-2: of an access token leaves the refresh token valid', async () => {
    const { access_token, refresh_token } = await app.obtainTokens();
    assert.equal((await revoke({ token: access_token }, app.credentials)).status, 200);
    assert.ok(!(await isActive(server, access_token)));
    assert.equal((await app.refresh(refresh_token)).status, 200);
  });

  it('RV-2: of a refresh token revokes its whole token family, with any hint', async () => {
    for (const token_type_hint of ['access_token', 'refresh_token', 'nonsense']) {
      const first = await app.obtainTokens();
      const { json: second } = await app.refresh(first.refresh_token);
      const answer = await revoke({ token: second.refresh_token, token_type_hint }, app.credentials);
      assert.equal(answer.status, 200);
      for (const { access_token } of [first, second]) {
        assert.ok(!(await isActive(server, access_token)));
      }
      for (const { refresh_token } of [first, second]) {
        assertError(await app.refresh(refresh_token), 400, 'invalid_grant');
      }
    }
  });

  it('RV-2: of a used refresh token revokes its whole token family', async () => {
    const first = await app.obtainTokens();
    const { json: second } = await app.refresh(first.refresh_token);
    assert.equal((await revoke({ token: first.refresh_token }, app.credentials)).status, 200);
    assert.ok(!(await isActive(server, second.access_token)));
    assertError(await app.refresh(second.refresh_token), 400, 'invalid_grant');
  });

  it('RV-3: by a public client with its client_id only is accepted', async () => {
    const { access_token } = await publicApp.obtainTokens();
    assert.ok(await isActive(server, access_token));
    const answer = await revoke({ token: access_token, client_id: publicApp.client.clientId });
    assert.equal(answer.status, 200, answer.text);
    assert.ok(!(await isActive(server, access_token)));
  });

  it('RV-4: that cannot be stored is answered 503, and can be repeated', async () => {
    const { access_token, refresh_token } = await app.obtainTokens();
    {
      await using _lock = await writeLock(server.database);
      const answer = await revoke({ token: refresh_token }, app.credentials);
      assertError(answer, 503, 'temporarily_unavailable');
    }
    assert.equal((await revoke({ token: refresh_token }, app.credentials)).status, 200);
    assert.ok(!(await isActive(server, access_token)));
  });

  it('RV-5: needs a caller and a token', async () => {
    const { refresh_token } = await app.obtainTokens();
    assertError(await revoke({ token: refresh_token }), 401, 'invalid_client');
    const { clientId } = app.client;
    assertError(await revoke({ token: refresh_token, client_id: clientId }), 401, 'invalid_client');
    assertError(await revoke({}, app.credentials), 400, 'invalid_request');
    assert.equal((await revoke({ token: 'unknown' }, app.credentials)).status, 200);
    assert.equal((await app.refresh(refresh_token)).status, 200);
  });

  it('RV-5: is accepted by POST only, and is never a script', async () => {
    const answer = await server.get('/oauth2/revoke?token=x&callback=alert');
    assertError(answer, 405, 'invalid_request');
    assert.match(answer.headers.get('allow') ?? '', /POST/);
    const jsonp = await revoke({ token: 'x', callback: 'alert' }, app.credentials);
    assert.equal(jsonp.text, '{}');
  });
});
