import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Application,
  isActive,
  registerApplication,
} from '@watchword/server-testkit/clients/application';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import {
  type Answer,
  demoResourceServer,
  startServer,
  type TestServer,
} from '@watchword/server-testkit/servers/server';
import { rounds, slowTest } from '@watchword/testkit';
import { assertError } from '../../support/error-answers.ts';
import { sendAndHangUp } from '../../support/lost-answer.ts';

describe('a refresh token within the grace', () => {
  let server: TestServer;
  let app: Application;
  before(async () => {
    server = await startServer();
    app = await registerApplication(server);
  });
  after(() => server[Symbol.asyncDispose]());

  const refreshed = async (refreshToken: string) => {
    const answer = await app.refresh(refreshToken);
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  };

  it('RT-3: has the same answer again while its successor is unused', async () => {
    using clock = stoppedClock();
    const { refresh_token } = await app.obtainTokens();
    const first = await app.refresh(refresh_token);
    clock.advance(29);
    const again = await app.refresh(refresh_token);
    assert.equal(again.status, 200);
    assert.deepEqual(again.json, first.json);
  });

  it('RT-3: revokes its grant once its successor was used', async () => {
    const { refresh_token } = await app.obtainTokens();
    const second = await refreshed(refresh_token);
    const third = await refreshed(second.refresh_token);
    assertError(await app.refresh(refresh_token), 400, 'invalid_grant');
    assert.ok(!(await isActive(server, third.access_token)));
    assertError(await app.refresh(third.refresh_token), 400, 'invalid_grant');
  });

  it('RT-3: revokes its grant when it is repeated after the grace', async () => {
    using clock = stoppedClock();
    const { refresh_token } = await app.obtainTokens();
    const second = await refreshed(refresh_token);
    clock.advance(30);
    assertError(await app.refresh(refresh_token), 400, 'invalid_grant');
    assert.ok(!(await isActive(server, second.access_token)));
    assertError(await app.refresh(second.refresh_token), 400, 'invalid_grant');
  });

  it('RT-3: of a public client has the same answer for ten seconds only', async () => {
    using clock = stoppedClock();
    const page = await registerApplication(server, { allowedImplicitGrant: true, useRefreshTokens: true });
    const [one, two] = [await page.obtainTokens(), await page.obtainTokens()];
    const [first, second] = [await page.refresh(one.refresh_token), await page.refresh(two.refresh_token)];
    clock.advance(9);
    assert.deepEqual((await page.refresh(one.refresh_token)).json, first.json);
    clock.advance(1);
    assertError(await page.refresh(two.refresh_token), 400, 'invalid_grant');
    assert.ok(!(await isActive(server, second.json.access_token)));
  });

  it('RT-3: has the same answer twice only, and then an error that revokes nothing', async () => {
    const { refresh_token } = await app.obtainTokens();
    const second = await refreshed(refresh_token);
    const statuses: number[] = [];
    for (let time = 0; time < 4; time += 1) statuses.push((await app.refresh(refresh_token)).status);
    assert.deepEqual(statuses, [200, 200, 400, 400]);
    await refreshed(second.refresh_token);
  });

  it('RT-3: returns one valid successor to three of many requests at the same time', async () => {
    for (let round = 0; round < rounds(1, 5); round += 1) {
      const { refresh_token } = await app.obtainTokens();
      const answers = await Promise.all(Array.from({ length: 20 }, () => app.refresh(refresh_token)));
      const [successes, rejected] = [true, false].map((isGood) =>
        answers.filter(({ status }) => (status === 200) === isGood),
      );
      assert.equal(successes?.length, 3);
      for (const error of rejected ?? []) assertError(error, 400, 'invalid_grant');
      const successors = new Set(successes?.map(({ json }) => json.refresh_token));
      assert.equal(successors.size, 1);
      await refreshed([...successors].join());
    }
  });

  it('RT-3: used together with its successor leaves at most one valid token family', async () => {
    for (let round = 0; round < rounds(4, 20); round += 1) {
      const { refresh_token } = await app.obtainTokens();
      const second = await refreshed(refresh_token);
      const [repeated, used] = await Promise.all(
        round % 2 === 0
          ? [app.refresh(refresh_token), app.refresh(second.refresh_token)]
          : [app.refresh(second.refresh_token), app.refresh(refresh_token)].toReversed(),
      );
      const isActiveAnswer = (answer: Answer | undefined) =>
        answer?.status === 200 ? isActive(server, answer.json.access_token) : undefined;
      if (repeated?.status === 200) {
        assert.deepEqual(repeated.json, second);
        assert.ok(await isActiveAnswer(used));
      } else {
        assertError(repeated ?? assert.fail(), 400, 'invalid_grant');
        assert.notEqual(await isActiveAnswer(used), true);
      }
    }
  });

  it('RT-12: shared with an attacker who repeats every rotation is revoked with the third', async () => {
    let { refresh_token } = await app.obtainTokens();
    for (let rotation = 1; rotation <= 2; rotation += 1) {
      const next = await refreshed(refresh_token);
      assert.deepEqual(await refreshed(refresh_token), next);
      refresh_token = next.refresh_token;
    }
    const last = await refreshed(refresh_token);
    assertError(await app.refresh(refresh_token), 400, 'invalid_grant');
    assert.ok(!(await isActive(server, last.access_token)));
    assertError(await app.refresh(last.refresh_token), 400, 'invalid_grant');
  });

  // Held by refresh-grace.test.ts of the protocol.
  slowTest(
    'RT-12: of a client with a bad connection works when it receives one answer in three',
    async () => {
      let { refresh_token } = await app.obtainTokens();
      for (const isLost of [true, true, false, true, true, false, true, true]) {
        const next = await refreshed(refresh_token);
        if (isLost) assert.deepEqual(await refreshed(refresh_token), next);
        refresh_token = next.refresh_token;
      }
      await refreshed(refresh_token);
    },
  );

  it('RT-12: can be repeated without end where no series of rotations is too long', async () => {
    await using lenient = await startServer({ 'refresh.graceStreak': '0' });
    const patient = await registerApplication(lenient);
    let { refresh_token } = await patient.obtainTokens();
    for (let rotation = 0; rotation < 6; rotation += 1) {
      const next = await patient.refresh(refresh_token);
      assert.deepEqual((await patient.refresh(refresh_token)).json, next.json);
      refresh_token = next.json.refresh_token;
    }
  });

  it('RT-3: has no same answer for another client, or for another scope', async () => {
    const other = await registerApplication(server);
    const { refresh_token } = await app.obtainTokens({ scope: 'read' });
    const { json } = await app.refresh(refresh_token);
    assertError(await other.refresh(refresh_token), 400, 'invalid_grant');
    for (const scope of ['read write', 'write']) {
      assertError(await app.refresh(refresh_token, { scope }), 400, 'invalid_scope');
    }
    const both = await app.obtainTokens({ scope: 'read write' });
    const narrowed = await app.refresh(both.refresh_token, { scope: 'read' });
    assertError(await app.refresh(both.refresh_token), 400, 'invalid_scope');
    assert.deepEqual((await app.refresh(both.refresh_token, { scope: 'read' })).json, narrowed.json);
    assert.equal((await app.refresh(refresh_token)).json.refresh_token, json.refresh_token);
  });

  it('RT-11: can be repeated when its answer was lost', async () => {
    const { refresh_token } = await app.obtainTokens();
    await sendAndHangUp(server, refresh_token, app);
    const answer = await app.refresh(refresh_token);
    assert.equal(answer.status, 200, answer.text);
    assert.ok(await isActive(server, answer.json.access_token));
    assert.equal((await app.refresh(answer.json.refresh_token)).status, 200);
  });

  it('CA-11: of a user shows the user to the resource server', async () => {
    const { refresh_token } = await app.obtainTokens();
    const { json } = await app.refresh(refresh_token);
    const info = await server.post('/v1/tokeninfo', { access_token: json.access_token }, demoResourceServer);
    assert.equal(info.json.principal.name, 'emma');
    assert.deepEqual(info.json.scopes, ['read', 'write']);
  });
});
