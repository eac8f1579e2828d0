import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Application,
  isActive,
  registerApplication,
} from '@watchword/server-testkit/clients/application';
import { registerClient } from '@watchword/server-testkit/clients/clients';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import { type Answer, startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { rounds, slowTest } from '@watchword/testkit';
import { assertError } from '../../support/error-answers.ts';
import { sendAndHangUp } from '../../support/lost-answer.ts';

/** A day, in seconds. */
const day = 86_400;

describe('a refresh token', () => {
  let strict: TestServer;
  let app: Application;
  let other: Application;
  before(async () => {
    strict = await startServer({ 'refresh.graceSeconds': '0' });
    app = await registerApplication(strict);
    other = await registerApplication(strict);
  });
  after(() => strict[Symbol.asyncDispose]());

  const refreshed = async (refreshToken: string, parameters?: Record<string, string>) => {
    const answer = await app.refresh(refreshToken, parameters);
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  };

  it('RT-1: is used once; a replay revokes its whole token family', async () => {
    const first = await app.obtainTokens();
    const second = await refreshed(first.refresh_token);
    assert.notEqual(second.refresh_token, first.refresh_token);
    assert.notEqual(second.access_token, first.access_token);
    assertError(await app.refresh(first.refresh_token), 400, 'invalid_grant');
    for (const { access_token } of [first, second]) {
      assert.ok(!(await isActive(strict, access_token)));
    }
    assertError(await app.refresh(second.refresh_token), 400, 'invalid_grant');
  });

  it('RT-1: that is replayed is in the audit log once, with its client, its user and the address of the replay', async () => {
    const own = await registerApplication(strict);
    const { refresh_token } = await own.obtainTokens();
    assert.equal((await own.refresh(refresh_token)).status, 200);
    for (const _ of [1, 2]) assertError(await own.refresh(refresh_token), 400, 'invalid_grant');
    const { clientId, clientName, id } = own.client;
    const { auditEvents } = strict.service.store;
    const events = (await auditEvents.list({ limit: 100 })).filter(
      ({ recordName }) => recordName === clientId,
    );
    const granted = events.find(({ action }) => action === 'grant');
    assert.deepEqual(
      events.filter(({ action }) => action === 'revokeGrants').map(({ id: _, time: _t, ...event }) => event),
      [
        {
          actor: { identityProvider: `client:${id}`, name: clientId },
          ...{ clientId, clientName, source: '127.0.0.1', action: 'revokeGrants', recordType: 'grant' },
          ...{ recordId: granted?.recordId, recordName: clientId, owner: granted?.owner },
          ...{ before: undefined, after: { reason: 'unused_refresh_token' } },
        },
      ],
    );
  });

  it('RT-1: does not revoke other token families of the same user and client', async () => {
    const [one, two] = [await app.obtainTokens(), await app.obtainTokens()];
    await refreshed(one.refresh_token);
    assertError(await app.refresh(one.refresh_token), 400, 'invalid_grant');
    assert.ok(await isActive(strict, two.access_token));
    await refreshed(two.refresh_token);
  });

  it('RT-2: is used by exactly one of many requests at the same time, and then its token family is revoked', async () => {
    for (let round = 0; round < rounds(1, 5); round += 1) {
      const { refresh_token } = await app.obtainTokens();
      const answers = await Promise.all(Array.from({ length: 20 }, () => app.refresh(refresh_token)));
      const successes = answers.filter(({ status }) => status === 200);
      assert.equal(successes.length, 1);
      for (const answer of answers) if (answer.status !== 200) assertError(answer, 400, 'invalid_grant');
      const [{ json } = {} as Answer] = successes;
      assert.ok(!(await isActive(strict, json.access_token)));
      assertError(await app.refresh(json.refresh_token), 400, 'invalid_grant');
    }
  });

  it('RT-5: that is revoked during its use leaves no valid token', async () => {
    for (let round = 0; round < rounds(3, 20); round += 1) {
      const first = await app.obtainTokens();
      const token = first.refresh_token;
      const [answer, revocation] = await Promise.all([
        app.refresh(token),
        strict.post('/oauth2/revoke', { token }, app.credentials),
      ]);
      assert.equal(revocation.status, 200, revocation.text);
      assert.ok(!(await isActive(strict, first.access_token)));
      if (answer.status !== 200) {
        assertError(answer, 400, 'invalid_grant');
        continue;
      }
      assert.ok(!(await isActive(strict, answer.json.access_token)));
      assertError(await app.refresh(answer.json.refresh_token), 400, 'invalid_grant');
    }
  });

  // Held by refresh-token.test.ts of the protocol.
  slowTest('RT-6: of one client is rejected for another client, and stays valid for the first', async () => {
    const { refresh_token } = await app.obtainTokens();
    assertError(await other.refresh(refresh_token), 400, 'invalid_grant');
    await refreshed(refresh_token);
  });

  // Held by refresh-token.test.ts of the protocol.
  slowTest('RT-7: is not used up by a request without client authentication', async () => {
    const { refresh_token } = await app.obtainTokens();
    const form = { grant_type: 'refresh_token', refresh_token };
    const { clientId } = app.client;
    for (const answer of [
      await strict.post('/oauth2/token', form),
      await strict.post('/oauth2/token', { ...form, client_id: clientId }),
      await strict.post('/oauth2/token', { ...form, client_id: clientId, client_secret: 'wrong' }),
      await strict.post('/oauth2/token', form, `${clientId}:wrong`),
    ]) {
      assertError(answer, 401, 'invalid_client');
    }
    await refreshed(refresh_token);
  });

  // Held by refresh-token.test.ts of the protocol.
  slowTest('RT-8: returns its scopes or fewer, and keeps all its scopes', async () => {
    const { refresh_token } = await app.obtainTokens({ scope: 'read' });
    assertError(await app.refresh(refresh_token, { scope: 'read write' }), 400, 'invalid_scope');
    assertError(await app.refresh(refresh_token, { scope: 'write' }), 400, 'invalid_scope');
    const same = await refreshed(refresh_token);
    assert.equal(same.scope, 'read');

    const both = await app.obtainTokens({ scope: 'read write' });
    const narrowed = await refreshed(both.refresh_token, { scope: 'write' });
    assert.equal(narrowed.scope, 'write');
    const full = await refreshed(narrowed.refresh_token);
    assert.equal(full.scope, 'read write');
    assert.equal((await strict.post('/oauth2/token', emptyScope(full), app.credentials)).status, 200);
  });

  it('RT-9: expires when it is not used for long', async () => {
    using clock = stoppedClock();
    const { refresh_token } = await app.obtainTokens();
    clock.advance(30 * day - 1);
    const next = await refreshed(refresh_token);
    clock.advance(30 * day);
    assertError(await app.refresh(next.refresh_token), 400, 'invalid_grant');
  });

  it('RT-9: expires at the end of its token family, with any use', async () => {
    using clock = stoppedClock();
    let { refresh_token } = await app.obtainTokens();
    for (let passed = 20; passed < 180; passed += 20) {
      clock.advance(20 * day);
      refresh_token = (await refreshed(refresh_token)).refresh_token;
    }
    clock.advance(20 * day);
    assertError(await app.refresh(refresh_token), 400, 'invalid_grant');
  });

  it('RT-10: of an invalid form is rejected like a wrong one', async () => {
    const { access_token } = await app.obtainTokens();
    const texts = ['x', access_token, `wwr_${'A'.repeat(70)}`, 'x'.repeat(10_000)];
    const answers = await Promise.all(texts.map((text) => app.refresh(text)));
    for (const answer of answers) {
      assertError(answer, 400, 'invalid_grant');
      assert.equal(answer.text, answers[0]?.text);
    }
    assertError(await app.refresh(''), 400, 'invalid_request');
  });

  it('RT-11: is invalid after a lost answer when there is no grace', async () => {
    const { refresh_token } = await app.obtainTokens();
    await sendAndHangUp(strict, refresh_token, app);
    assertError(await app.refresh(refresh_token), 400, 'invalid_grant');
  });

  it('CA-11: is issued to and accepted from only the clients that use refresh tokens', async () => {
    const plain = await registerApplication(strict, { useRefreshTokens: false });
    const tokens = await plain.obtainTokens();
    assert.ok(!('refresh_token' in tokens));
    const { refresh_token } = await app.obtainTokens();
    assertError(await plain.refresh(refresh_token), 400, 'unauthorized_client');
    const service = await registerClient(strict, { useRefreshTokens: true });
    const answer = await strict.post(
      '/oauth2/token',
      { grant_type: 'client_credentials' },
      service.credentials,
    );
    assert.equal(answer.status, 200);
    assert.ok(!('refresh_token' in answer.json));
  });
});

function emptyScope({ refresh_token }: { refresh_token: string }): Record<string, string> {
  return { grant_type: 'refresh_token', refresh_token, scope: '' };
}
