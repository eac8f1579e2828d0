import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Application,
  redirectUri,
  registerApplication,
} from '@watchword/server-testkit/clients/application';
import { watchword } from '@watchword/server-testkit/processes/process';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { countRows } from '@watchword/server-testkit/servers/sql';
import { slowTest, subjectIn } from '@watchword/testkit';
import { answeredBy } from '@watchword/testkit/follow-flow';
import { type FormValues, type Page, UserAgent, withdrawalPage } from '@watchword/testkit/user-agent';
import { purgeOnce } from '../../../src/runtime/work/purging.ts';
import { systemClock } from '../../../src/system.ts';
import { assertErrorPage, assertRedirect } from '../../support/browser-answers.ts';

const allow = { decision: 'allow' };
const deny = { decision: 'deny' };

describe('an answer on a consent page', () => {
  let server: TestServer;
  let app: Application;
  let implicit: Application;
  before(async () => {
    server = await startServer();
    app = await registerApplication(server);
    implicit = await registerApplication(server, { allowedImplicitGrant: true });
  });
  after(() => server[Symbol.asyncDispose]());

  const url = (path: string) => `${server.baseUrl}${path}`;
  let users = 0;
  const newUser = () => {
    users += 1;
    return { username: `person-${users}`, password: 'x' };
  };
  /** The consent page of a user without an earlier question. */
  const consentPage = async (agent: UserAgent, parameters = {}, of = app, user = newUser()) =>
    agent.submit(await of.open(parameters, agent), user);
  const rows = (table: string) => countRows(server.database, table);

  function assertAnswered(page: Page): void {
    assertErrorPage(page);
    assert.match(page.text, /You have answered already/);
  }

  it('is a denial when it contains both decisions', async () => {
    const agent = new UserAgent();
    const page = await consentPage(agent);
    const auth_state = page.forms[0]?.controls[0]?.value ?? '';
    const both = { auth_state, granted_scopes: 'read', decision: ['allow', 'deny'] };
    const answered = await agent.post(url('/consent'), both);
    assert.equal(answeredBy(answered.location ?? '').get('error'), 'access_denied', answered.text);
  });

  for (const [kind, parameters, separator] of [
    ['code', {}, '?'],
    ['token', { response_type: 'token' }, '#'],
  ] as const) {
    const of = () => (kind === 'code' ? app : implicit);
    // The next test holds it.
    slowTest(`is accepted once, for each first and second answer (${kind})`, async () => {
      for (const [first, second] of [
        [allow, allow],
        [allow, deny],
        [deny, allow],
        [deny, deny],
      ] as [FormValues, FormValues][]) {
        const agent = new UserAgent();
        const page = await consentPage(agent, parameters, of());
        const answered = await agent.submit(page, first);
        assertRedirect(answered, redirectUri, separator);
        const before = [await rows('authorization_grant'), await rows('consent')];
        for (const again of [second, first, { decision: 'maybe' }]) {
          const auth_state = page.forms[0]?.controls[0]?.value ?? '';
          assertAnswered(await agent.post(url('/consent'), { auth_state, granted_scopes: 'read', ...again }));
        }
        assert.deepEqual([await rows('authorization_grant'), await rows('consent')], before);
      }
    });

    it(`is accepted once when many are sent at the same time (${kind})`, async () => {
      for (const answers of [
        [allow, allow, allow, allow],
        [allow, deny, allow, deny],
        [deny, deny, deny, deny],
      ]) {
        const agent = new UserAgent();
        const page = await consentPage(agent, parameters, of());
        const before = await rows('authorization_grant');
        const outcomes = await Promise.all(answers.map((answer) => agent.submit(page, answer)));
        const redirected = outcomes.filter(({ status }) => status === 303);
        assert.equal(redirected.length, 1);
        for (const outcome of outcomes) if (!redirected.includes(outcome)) assertAnswered(outcome);
        const isGranted = !answeredBy(redirected[0]?.location ?? '').has('error');
        assert.equal(await rows('authorization_grant'), before + Number(isGranted));
      }
    });

    // The answer is kept in the same way for both.
    const once = kind === 'code' ? it : slowTest;
    once(
      `is remembered after a withdrawal and a purge without retention, until the page expires (${kind})`,
      async () => {
        using clock = stoppedClock();
        const purge = () =>
          purgeOnce(server.service.store, systemClock, {
            retention: 0,
            authStateLifetime: 600,
            auditRetention: 0,
            loginRetention: 0,
          });
        for (const answer of [allow, deny]) {
          const agent = new UserAgent();
          const page = await consentPage(agent, parameters, of());
          clock.advance(590);
          assertRedirect(await agent.submit(page, answer), redirectUri, separator);
          if (answer === allow) {
            await agent.submit(await withdrawalPage(agent, url('')), {});
          }
          clock.advance(9);
          await purge();
          assertAnswered(await agent.submit(page, allow));
          // After its time the page decides nothing, and the database keeps no row of the answer for long.
          clock.advance(1);
          await purge();
          const late = await agent.submit(page, allow);
          assert.equal(late.location, undefined);
          assert.match(late.text, /nothing was done with your answer/);
          clock.advance(1800);
          await purge();
        }
        for (const table of ['authorization_code', 'one_time']) assert.equal(await rows(table), 0);
      },
    );
  }

  it('is remembered after any purge by the command', async () => {
    const answered: [UserAgent, Page][] = [];
    for (const answer of [allow, deny]) {
      const agent = new UserAgent();
      const page = await consentPage(agent);
      await agent.submit(page, answer);
      const { store } = server.service;
      const subject = await subjectIn(store, { identityProvider: 'form', name: `person-${users}` });
      await store.grants.withdraw(subject, [{ clientRecordId: app.client.id }], Date.now());
      answered.push([agent, page]);
    }
    const { code, stderr } = await watchword(['purge', '--retention', '0', '--database', server.database]);
    assert.equal(code, 0, stderr);
    for (const [agent, page] of answered) assertAnswered(await agent.submit(page, allow));
  });

  // Held by answered-consent.test.ts of the protocol.
  slowTest('answers every copy of the same question', async () => {
    const agent = new UserAgent();
    const first = await consentPage(agent);
    const again = await agent.submit(first, { decision: 'allow', granted_scopes: [] });
    assert.equal(again.status, 400);
    assertRedirect(await agent.submit(again, { ...allow, granted_scopes: ['read'] }));
    for (const page of [first, again]) assertAnswered(await agent.submit(page, allow));
  });

  it('does not change other open pages of the same request and user', async () => {
    const agent = new UserAgent();
    const user = newUser();
    const first = await consentPage(agent, {}, app, user);
    const other = await app.open({}, agent);
    assertRedirect(await agent.submit(first, deny));
    assertRedirect(await agent.submit(other, allow));
  });

  it('that is a second one is ignored, and its page offers a new start', async () => {
    const agent = new UserAgent();
    const page = await consentPage(agent);
    assertRedirect(await agent.submit(page, { decision: 'allow', granted_scopes: ['read'] }));
    const answered = await agent.submit(page, { decision: 'allow', granted_scopes: ['read', 'write'] });
    assertAnswered(answered);
    assert.match(answered.headers.get('content-security-policy') ?? '', /form-action 'self' https:/);
    // Only the first answer was remembered, so the rest of the request is still a question.
    const asked = await agent.submit(answered, {});
    assert.equal(asked.status, 200);
    assertRedirect(await agent.submit(asked, allow));
    assertRedirect(await agent.submit(answered, {}));
  });

  it('starts nothing again in another browser, or for another user without a question', async () => {
    const agent = new UserAgent();
    const page = await consentPage(agent);
    await agent.submit(page, allow);
    const answered = await agent.submit(page, allow);
    const auth_state = answered.forms[0]?.controls[0]?.value ?? '';
    assertErrorPage(await new UserAgent().post(url('/again'), { auth_state }), 403);
    const other = newUser();
    const consent = await agent.submit(await app.open({ prompt: 'login' }, agent), other);
    assertRedirect(await agent.submit(consent, allow));
    const asked = await agent.submit(answered, {});
    assert.equal(asked.status, 200);
    assert.match(asked.text, new RegExp(other.username));
  });
});
