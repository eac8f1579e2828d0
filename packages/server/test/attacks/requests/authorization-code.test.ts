import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { clientAdministration, resourceServerAdministration, systemCaller } from '@watchword/administration';
import { maxCodeFailures } from '@watchword/protocol';
import {
  type Application,
  codeVerifier,
  isActive,
  pkce,
  redirectUri,
  registerApplication,
} from '@watchword/server-testkit/clients/application';
import { registerClient, registerResourceServer } from '@watchword/server-testkit/clients/clients';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import {
  type Answer,
  demoClient,
  startServer,
  type TestServer,
} from '@watchword/server-testkit/servers/server';
import { writeLock } from '@watchword/server-testkit/servers/write-lock';
import { rounds, slowTest } from '@watchword/testkit';
import { systemClock, systemRandom } from '../../../src/system.ts';
import { assertError } from '../../support/error-answers.ts';

describe('an authorization code', () => {
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

  const assertRevoked = async ({ json }: Answer) => {
    assert.ok(!(await isActive(server, json.access_token)));
    assertError(await app.refresh(json.refresh_token), 400, 'invalid_grant');
  };

  it('CD-1: is redeemed once; a replay revokes the tokens that were issued for it', async () => {
    const code = await app.obtainCode();
    const first = await app.redeem(code);
    assert.equal(first.status, 200, first.text);
    assert.ok(await isActive(server, first.json.access_token));
    assertError(await app.redeem(code), 400, 'invalid_grant');
    await assertRevoked(first);
  });

  // Held by authorization-code.test.ts of the protocol.
  slowTest('CD-1: is redeemed once, also when the replay comes after its lifetime', async () => {
    using clock = stoppedClock();
    const code = await app.obtainCode();
    const first = await app.redeem(code);
    clock.advance(90);
    assertError(await app.redeem(code), 400, 'invalid_grant');
    await assertRevoked(first);
  });

  // Held by authorization-code.test.ts of the protocol.
  slowTest('CD-1: revokes nothing when another client replays it', async () => {
    const code = await app.obtainCode(pkce);
    const first = await app.redeem(code, { code_verifier: codeVerifier });
    assert.equal(first.status, 200, first.text);
    assertError(await other.redeem(code, { code_verifier: codeVerifier }), 400, 'invalid_grant');
    assertError(await app.redeem(code, { code_verifier: 'x'.repeat(43) }), 400, 'invalid_grant');
    assertError(await app.redeem(code, { code_verifier: '' }), 400, 'invalid_grant');
    const wrongSecret = await server.post(
      '/oauth2/token',
      { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier },
      `${app.client.clientId}:wrong`,
    );
    assertError(wrongSecret, 401, 'invalid_client');
    assert.ok(await isActive(server, first.json.access_token));
  });

  it('CD-2: is redeemed by exactly one of many requests at the same time, and then all its tokens are revoked', async () => {
    for (let round = 0; round < rounds(1, 5); round += 1) {
      const code = await app.obtainCode();
      const answers = await Promise.all(Array.from({ length: 20 }, () => app.redeem(code)));
      const successes = answers.filter(({ status }) => status === 200);
      assert.equal(successes.length, 1);
      for (const answer of answers) if (answer.status !== 200) assertError(answer, 400, 'invalid_grant');
      for (const success of successes) await assertRevoked(success);
    }
  });

  it('CD-4: of one client is rejected for another client, and stays valid for the first', async () => {
    const code = await app.obtainCode();
    // Any number of times: only wrong attempts of its own client make a code invalid.
    for (let attempt = 0; attempt < maxCodeFailures; attempt += 1) {
      assertError(await other.redeem(code), 400, 'invalid_grant');
      assertError(await publicApp.redeem(code, { redirect_uri: 'x' }), 400, 'invalid_grant');
    }
    assert.equal((await app.redeem(code)).status, 200);
    assertError(await other.redeem(code), 400, 'invalid_grant');
  });

  // Held by authorization-code.test.ts of the protocol.
  slowTest('CD-4: is invalid for every client after too many wrong attempts of its own client', async () => {
    const code = await app.obtainCode();
    for (let attempt = 0; attempt < maxCodeFailures; attempt += 1) {
      assertError(await app.redeem(code, { redirect_uri: `${redirectUri}/` }), 400, 'invalid_grant');
    }
    assertError(await app.redeem(code), 400, 'invalid_grant');
  });

  it('CD-5: is rejected without client authentication', async () => {
    const code = await app.obtainCode();
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
    assertError(await server.post('/oauth2/token', form), 401, 'invalid_client');
    const idAlone = { ...form, client_id: app.client.clientId };
    assertError(await server.post('/oauth2/token', idAlone), 401, 'invalid_client');
    assert.equal((await app.redeem(code)).status, 200);
  });

  // Held by authorization-code.test.ts of the protocol.
  slowTest('CD-6: needs the redirect URI of its request, character by character', async () => {
    const code = await app.obtainCode();
    for (const redirect_uri of [
      '',
      'https://app.example/CB',
      `${redirectUri}/`,
      'https://other.example/cb',
    ]) {
      assertError(await app.redeem(code, { redirect_uri }), 400, 'invalid_grant');
    }
    assert.equal((await app.redeem(code)).status, 200);
  });

  // Held by authorization-code.test.ts of the protocol.
  slowTest('CD-6: needs no redirect URI when its request had none', async () => {
    const code = await app.obtainCode({ redirect_uri: '' });
    assertError(await app.redeem(code, { redirect_uri: 'https://other.example/cb' }), 400, 'invalid_grant');
    assert.equal((await app.redeem(code, { redirect_uri: '' })).status, 200);
  });

  it('CD-7: expires after 60 seconds', async () => {
    using clock = stoppedClock();
    const [early, late] = [await app.obtainCode(), await app.obtainCode()];
    clock.advance(59);
    assert.equal((await app.redeem(early)).status, 200);
    clock.advance(1);
    assertError(await app.redeem(late), 400, 'invalid_grant');
  });

  it('CD-8: needs the verifier of its challenge, and none without a challenge', async () => {
    const code = await app.obtainCode(pkce);
    for (const code_verifier of ['', 'x'.repeat(43), `${codeVerifier}x`, pkce.code_challenge]) {
      assertError(await app.redeem(code, { code_verifier }), 400, 'invalid_grant');
    }
    assert.equal((await app.redeem(code, { code_verifier: codeVerifier })).status, 200);
    const stripped = await app.obtainCode();
    assertError(await app.redeem(stripped, { code_verifier: codeVerifier }), 400, 'invalid_grant');
    const publicCode = await publicApp.obtainCode();
    assertError(await publicApp.redeem(publicCode, { code_verifier: '' }), 400, 'invalid_grant');
    assert.equal((await publicApp.redeem(publicCode)).status, 200);
  });

  // Held by authorization-code.test.ts of the protocol.
  slowTest('CD-8: stays valid after a few wrong attempts, and not after more', async () => {
    const code = await app.obtainCode();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      assertError(await app.redeem(code, { redirect_uri: 'https://x.example/' }), 400, 'invalid_grant');
    }
    assertError(await app.redeem(code), 400, 'invalid_grant');
  });

  it('CD-9: is rejected after its client or its resource server was deleted', async () => {
    const { store } = server.service;
    const deps = { ...store, clock: systemClock, random: systemRandom };
    const gone = await registerApplication(server);
    const code = await gone.obtainCode();
    await clientAdministration(deps).delete(systemCaller, gone.client);
    await store.refreshRegistry();
    assertError(await gone.redeem(code), 401, 'invalid_client');

    const { resourceServer } = await registerResourceServer(server, 'Short-lived API');
    const orphan = await registerApplication(server, { clientName: 'Orphan' }, resourceServer.key);
    const orphanCode = await orphan.obtainCode();
    await resourceServerAdministration(deps).delete(systemCaller, resourceServer.id);
    await store.refreshRegistry();
    assertError(await orphan.redeem(orphanCode), 401, 'invalid_client');
  });

  // Held by authorization-code.test.ts of the protocol.
  slowTest('CD-9: is revoked with all tokens of its client', async () => {
    const code = await app.obtainCode();
    const { store } = server.service;
    await clientAdministration({ ...store, clock: systemClock, random: systemRandom }).revokeTokens(
      systemCaller,
      app.client,
    );
    await store.refreshRegistry();
    assertError(await app.redeem(code), 400, 'invalid_grant');
  });

  it('CD-10: of an invalid form is rejected like a wrong one', async () => {
    const { access_token, refresh_token } = await app.obtainTokens();
    const texts = [
      'x',
      access_token,
      refresh_token,
      `wwc_${'A'.repeat(70)}`,
      "' or 1=1 --",
      'x'.repeat(10_000),
    ];
    const answers = await Promise.all(texts.map((code) => app.redeem(code)));
    for (const answer of answers) {
      assertError(answer, 400, 'invalid_grant');
      assert.equal(answer.text, answers[0]?.text);
    }
    assertError(await app.redeem(''), 400, 'invalid_request');
    assert.ok(await isActive(server, access_token));
  });

  it('CD-11: is redeemed together with the issue of its tokens, or not at all', async () => {
    const code = await app.obtainCode();
    {
      await using _lock = await writeLock(server.database);
      assertError(await app.redeem(code), 503, 'temporarily_unavailable');
      // A write that is no longer waited for can still go on. It has ended when one behind it is refused.
      const behind = await server.post('/oauth2/token', { grant_type: 'client_credentials' }, demoClient);
      assertError(behind, 503, 'temporarily_unavailable');
    }
    const second = await app.redeem(code);
    assert.equal(second.status, 200, second.text);
    assert.ok(await isActive(server, second.json.access_token));
  });

  it('is not issued to a client that must not use it', async () => {
    const service = await registerClient(server, { redirectUris: [] });
    const answer = await server.post(
      '/oauth2/token',
      { grant_type: 'authorization_code', code: await app.obtainCode(), redirect_uri: redirectUri },
      service.credentials,
    );
    assertError(answer, 400, 'unauthorized_client');
  });

  it('is answered as in the contract', async () => {
    const lasting = await registerApplication(server, { expireDuration: 600 });
    const answer = await lasting.redeem(await lasting.obtainCode({ scope: 'read' }));
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(answer.headers.get('pragma'), 'no-cache');
    const { access_token, refresh_token, ...rest } = answer.json;
    assert.deepEqual(rest, { token_type: 'bearer', scope: 'read', expires_in: 600 });
    assert.ok(access_token && refresh_token);
    const withoutExpiry = await app.redeem(await app.obtainCode());
    assert.equal(withoutExpiry.json.expires_in, 0);
    assert.equal(withoutExpiry.json.scope, 'read write');
    const publicAnswer = await publicApp.redeem(await publicApp.obtainCode());
    assert.ok(!('refresh_token' in publicAnswer.json));
  });
});
