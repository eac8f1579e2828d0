import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { answeredBy } from '@watchword/testkit/follow-flow';
import { type FormValues, type Page, UserAgent } from '@watchword/testkit/user-agent';
import { reapOnce } from '../../src/operation/reaping.ts';
import { systemClock } from '../../src/system.ts';
import { type Application, redirectUri, registerApplication } from '../support/application.ts';
import { assertErrorPage, assertRedirect, assertRedirectedError } from '../support/browser-answers.ts';
import { stoppedClock } from '../support/clock.ts';
import { temporaryDirectory, watchword } from '../support/process.ts';
import { startServer, type TestServer } from '../support/server.ts';

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
  /** The consent page of somebody who was never asked before. */
  const consentPage = async (agent: UserAgent, parameters = {}, of = app, user = newUser()) =>
    agent.submit(await of.open(parameters, agent), user);
  const rows = (table: string) => {
    const db = new DatabaseSync(server.database, { readOnly: true });
    const row = db.prepare(`select count(*) as n from "${table}"`).get();
    db.close();
    return row?.n;
  };

  function assertAnswered(page: Page): void {
    assertErrorPage(page);
    assert.match(page.text, /You have answered already/);
  }

  for (const [kind, parameters, separator] of [
    ['code', {}, '?'],
    ['token', { response_type: 'token' }, '#'],
  ] as const) {
    const of = () => (kind === 'code' ? app : implicit);

    it(`counts once, whatever the first and the second are (${kind})`, async () => {
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
        const before = [rows('grant'), rows('consent')];
        for (const again of [second, first, { decision: 'maybe' }]) {
          const auth_state = page.forms[0]?.controls[0]?.value ?? '';
          assertAnswered(await agent.post(url('/consent'), { auth_state, granted_scopes: 'read', ...again }));
        }
        assert.deepEqual([rows('grant'), rows('consent')], before);
      }
    });

    it(`counts once when many come at the same time (${kind})`, async () => {
      for (const answers of [
        [allow, allow, allow, allow],
        [allow, deny, allow, deny],
        [deny, deny, deny, deny],
      ]) {
        const agent = new UserAgent();
        const page = await consentPage(agent, parameters, of());
        const before = Number(rows('grant'));
        const outcomes = await Promise.all(answers.map((answer) => agent.submit(page, answer)));
        const redirected = outcomes.filter(({ status }) => status === 303);
        assert.equal(redirected.length, 1);
        for (const outcome of outcomes) if (!redirected.includes(outcome)) assertAnswered(outcome);
        const isGranted = !answeredBy(redirected[0]?.location ?? '').has('error');
        assert.equal(rows('grant'), before + Number(isGranted));
      }
    });

    it(`is remembered after a withdrawal and a purge without retention, as long as the page could come (${kind})`, async () => {
      using clock = stoppedClock();
      const purge = () =>
        reapOnce(server.service.store, systemClock, {
          retention: 0,
          authStateLifetime: 600,
          auditRetention: 0,
        });
      for (const answer of [allow, deny]) {
        const agent = new UserAgent();
        const page = await consentPage(agent, parameters, of());
        clock.advance(590);
        assertRedirect(await agent.submit(page, answer), redirectUri, separator);
        if (answer === allow) {
          const account = await agent.get(url('/account'));
          await agent.submit(account, { client: String(of().client.id) });
        }
        clock.advance(9);
        await purge();
        assertAnswered(await agent.submit(page, allow));
        // Past its time the page is no longer valid, and nothing of the answer stays.
        clock.advance(1);
        await purge();
        assert.match((await agent.submit(page, allow)).text, /no longer valid/);
        clock.advance(1200);
        await purge();
      }
      for (const table of ['authorization_code', 'one_time']) assert.equal(rows(table), 0);
    });
  }

  it('is remembered whatever the command purges', async () => {
    for (const answer of [allow, deny]) {
      const agent = new UserAgent();
      const page = await consentPage(agent);
      await agent.submit(page, answer);
      await server.service.store.grants.withdraw(
        { authority: 'form', name: `person-${users}` },
        app.client.id,
        Date.now(),
      );
      const { code } = await watchword(['purge', '--retention', '0', '--database', server.database]);
      assert.equal(code, 0);
      assertAnswered(await agent.submit(page, allow));
    }
  });

  it('is the answer to every showing of the same question', async () => {
    const agent = new UserAgent();
    const first = await consentPage(agent);
    const again = await agent.submit(first, { decision: 'allow', granted_scopes: [] });
    assert.equal(again.status, 400);
    assertRedirect(await agent.submit(again, { ...allow, granted_scopes: ['read'] }));
    for (const page of [first, again]) assertAnswered(await agent.submit(page, allow));
  });

  it('leaves other open pages of the same request and person as they are', async () => {
    const agent = new UserAgent();
    const user = newUser();
    const first = await consentPage(agent, {}, app, user);
    const other = await app.open({}, agent);
    assertRedirect(await agent.submit(first, deny));
    assertRedirect(await agent.submit(other, allow));
  });

  it('that comes second offers to begin again, and is heeded in nothing else', async () => {
    const agent = new UserAgent();
    const page = await consentPage(agent);
    assertRedirect(await agent.submit(page, { decision: 'allow', granted_scopes: ['read'] }));
    const answered = await agent.submit(page, { decision: 'allow', granted_scopes: ['read', 'write'] });
    assertAnswered(answered);
    assert.match(answered.headers.get('content-security-policy') ?? '', /form-action 'self' https:/);
    // Only the first was remembered, so the rest of the request is still a question.
    const asked = await agent.submit(answered, {});
    assert.equal(asked.status, 200);
    assertRedirect(await agent.submit(asked, allow));
    assertRedirect(await agent.submit(answered, {}));
  });

  it('begins nothing again in another browser, nor for another person without a question', async () => {
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

describe('an answer on the consent page of another person', () => {
  let server: TestServer;
  let app: Application;
  let users = 0;
  before(async () => {
    server = await startServer();
    app = await registerApplication(server);
  });
  after(() => server[Symbol.asyncDispose]());

  const newUser = () => {
    users += 1;
    return { username: `owner-${users}`, password: 'x' };
  };
  const rows = () => {
    const db = new DatabaseSync(server.database, { readOnly: true });
    const row = db.prepare('select count(*) as n from "grant"').get();
    db.close();
    return row?.n;
  };
  const logIn = async (agent: UserAgent, user: { username: string; password: string }, answer = allow) => {
    const page = await agent.submit(await app.open({ prompt: 'login' }, agent), user);
    return page.status === 303 ? page : agent.submit(page, answer);
  };
  /** Somebody who has agreed before, so that nothing would be asked. */
  const settledUser = async () => {
    const user = newUser();
    const { location } = await logIn(new UserAgent(), user);
    assert.ok(location?.includes('code='));
    return user;
  };

  for (const answer of [allow, deny]) {
    it(`LC-7: is a question to the one who is logged in now, whatever they agreed to before (${answer.decision})`, async () => {
      const other = await settledUser();
      const agent = new UserAgent();
      const page = await agent.submit(await app.open({}, agent), newUser());
      assertRedirect(await logIn(agent, other));
      const before = rows();
      const asked = await agent.submit(page, answer);
      assert.equal(asked.status, 200, asked.location ?? '');
      assert.match(asked.text, new RegExp(`Signed in as ${other.username}`));
      assert.equal(rows(), before);
      assertRedirect(await agent.submit(asked, allow));
      assert.equal(rows(), Number(before) + 1);
    });
  }

  it('LC-7: is a question to the same person too, once they have logged in anew', async () => {
    const user = newUser();
    const agent = new UserAgent();
    const page = await agent.submit(await app.open({}, agent), user);
    assertRedirect(await logIn(agent, user));
    const before = rows();
    const asked = await agent.submit(page, allow);
    assert.equal(asked.status, 200);
    assert.equal(rows(), before);
  });

  it('LC-7: is a question after the next login, where somebody has logged out', async () => {
    const other = await settledUser();
    const agent = new UserAgent();
    const page = await agent.submit(await app.open({}, agent), newUser());
    await agent.submit(await agent.get(`${server.baseUrl}/logout`), {});
    const login = await agent.submit(page, allow);
    assert.ok(login.forms[0]?.controls.some(({ name }) => name === 'username'));
    const asked = await agent.submit(login, other);
    assert.equal(asked.status, 200);
    assert.match(asked.text, new RegExp(`Signed in as ${other.username}`));
    // Shown once more for a box that is missing, it is still a question that has to be asked.
    const again = await agent.submit(asked, { ...allow, granted_scopes: [] });
    assertRedirect(await agent.submit(again, { ...allow, granted_scopes: ['read'] }));
  });

  it('LC-7: is a question where the client has come to skip consent meanwhile', async () => {
    const trusted = await registerApplication(server);
    const agent = new UserAgent();
    const page = await agent.submit(await trusted.open({}, agent), newUser());
    const other = newUser();
    await logIn(agent, other);
    await server.service.store.clients.update(trusted.client.id, { ...trusted.client, skipConsent: true });
    await server.service.store.refreshRegistry();
    assertRedirect(await trusted.open({}, agent));
    const asked = await agent.submit(page, deny);
    assert.equal(asked.status, 200);
    assert.match(asked.text, new RegExp(`Signed in as ${other.username}`));
  });

  it('LC-7: is a question for a consent module too that remembers answers itself', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.file('remembering.mjs');
    await writeFile(
      file,
      `export default () => {
         const known = new Set();
         return {
           name: 'remembering',
           begin: async ({ owner, scopes, mustAsk }) =>
             known.has(owner.principal.name) && !mustAsk
               ? { type: 'consented', scopes, remember: false }
               : { type: 'form' },
           async resume({ owner, scopes }) {
             known.add(owner.principal.name);
             return { type: 'consented', scopes, remember: false };
           },
         };
       };`,
    );
    await using server = await startServer({ consent: file });
    const app = await registerApplication(server);
    const [first, other] = [newUser(), newUser()];
    await app.authorize({}, other);
    const agent = new UserAgent();
    const page = await agent.submit(await app.open({}, agent), first);
    assertRedirect(await agent.submit(await app.open({ prompt: 'login' }, agent), other));
    const asked = await agent.submit(page, allow);
    assert.equal(asked.status, 200, asked.location ?? '');
    assert.match(asked.text, new RegExp(`Signed in as ${other.username}`));
    assertRedirect(await agent.submit(asked, allow));
    assert.equal((await app.open({ prompt: 'consent' }, agent)).status, 200);
  });

  it('LC-7: is never told to the client as a denial by the one who is logged in now', async () => {
    const agent = new UserAgent();
    const page = await agent.submit(await app.open({}, agent), newUser());
    await logIn(agent, newUser());
    const asked = await agent.submit(page, deny);
    assert.equal(asked.status, 200);
    const denied = await agent.submit(asked, deny);
    assertRedirectedError(denied, 'access_denied', { issuer: server.service.baseUrl() });
  });
});
