import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AccountServer, startAccountServer } from '@watchword/server-testkit/servers/account-server';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import { UserAgent, withdrawalPage } from '@watchword/testkit/user-agent';
import { assertErrorPage } from '../support/browser-answers.ts';

const lifetime = 60;
const password = 'correct horse battery';
const said = {
  en: 'That page had been open for too long',
  nl: 'Die pagina stond te lang open',
  de: 'Diese Seite war zu lange geöffnet',
} as const;

let server: AccountServer;
before(async () => {
  server = await startAccountServer({ 'authState.lifetime': String(lifetime) });
  await server.addAccount('emma');
});
after(() => server[Symbol.asyncDispose]());

const request = () =>
  `${server.baseUrl}/authorize?response_type=code&client_id=demo-app&scope=read+write&state=s`;
const valueIn = (page: Awaited<ReturnType<UserAgent['get']>>, name: string) =>
  page.forms[0]?.controls.find((control) => control.name === name)?.value;

describe('a page that is sent after it was open for too long', () => {
  for (const [language, sentence] of Object.entries(said)) {
    it(`says so in one sentence, and keeps what was typed but the password (${language})`, async () => {
      using clock = stoppedClock();
      const agent = new UserAgent({ 'accept-language': language });
      const login = await agent.get(request());
      clock.advance(lifetime);
      const again = await agent.submit(login, { username: 'emma', password });
      assert.equal(again.status, 200);
      assert.ok(again.text.includes(sentence), again.text);
      assert.doesNotMatch(again.html, /correct horse battery/);
      assert.equal(valueIn(again, 'username'), 'emma');
      const consent = await agent.submit(again, { username: 'emma', password });
      assert.ok(!consent.text.includes(sentence));
      clock.advance(lifetime);
      const asked = await agent.submit(consent, { granted_scopes: ['read'], decision: 'allow' });
      assert.ok(asked.text.includes(sentence), asked.text);
      const ticked = asked.forms[0]?.controls.filter(
        ({ name, checked }) => name === 'granted_scopes' && checked,
      );
      assert.deepEqual(
        ticked?.map(({ value }) => value),
        ['read'],
      );
      const { location } = await agent.submit(asked, { decision: 'allow' });
      assert.equal(new URL(location ?? '').searchParams.get('state'), 's');
    });
  }

  it('is no place for what nobody types', async () => {
    using clock = stoppedClock();
    for (const username of ['x'.repeat(256), 'a\u0007b', '"><b>x']) {
      const agent = new UserAgent();
      const login = await agent.get(request());
      clock.advance(lifetime);
      const again = await agent.submit(login, { username, password });
      assert.equal(valueIn(again, 'username'), username.startsWith('"') ? username : '');
    }
  });

  it('of the own account withdraws nothing, changes no password and logs nobody out', async () => {
    using clock = stoppedClock();
    const agent = await server.browserOf('emma');
    await server.grantTo('emma', agent);
    const pages = [
      withdrawalPage(agent, server.baseUrl),
      ...['/account/password', '/logout'].map((path) => agent.get(`${server.baseUrl}${path}`)),
    ];
    const passwords = {
      password,
      new_password: 'another horse battery',
      new_password_again: 'another horse battery',
    };
    const opened = await Promise.all(pages);
    clock.advance(lifetime);
    for (const page of opened) {
      const again = await agent.submit(page, page.url.endsWith('/password') ? passwords : {});
      assert.equal(again.status, 200);
      assert.ok(again.text.includes(said.en), again.text);
      assert.doesNotMatch(again.html, /another horse battery/);
    }
    const { text } = await agent.get(`${server.baseUrl}/account`);
    assert.match(text, /Demo App/);
    assert.match(text, /Signed in as The emma/);
    await server.logIn('emma');
  });
});

describe('the address of a step', () => {
  it('is the account page for a bookmark of the login, after a login', async () => {
    const agent = new UserAgent();
    const page = await agent.get(`${server.baseUrl}/login`);
    assert.equal(new URL(page.url).pathname, '/account');
    const { location } = await agent.submit(page, { username: 'emma', password });
    assert.equal(new URL(location ?? '').pathname, '/account');
    assert.match((await agent.get(`${server.baseUrl}/login`)).text, /Signed in as The emma/);
  });

  for (const path of ['/consent', '/select', '/again', '/switch']) {
    it(`says what to do when a browser opens it: ${path}`, async () => {
      for (const agent of [new UserAgent(), await server.browserOf('emma')]) {
        const page = await agent.get(`${server.baseUrl}${path}?client_id=demo-app`);
        assert.equal(page.status, 200);
        assert.match(page.text, /Go back to the application that you want to use/);
        assert.match(page.html, /<a class="button" href="\/account">/);
        assert.equal(page.headers.get('cache-control'), 'no-store');
        assert.deepEqual(page.headers.getSetCookie(), []);
      }
    });
  }

  it('is an error with a way to the account page for a request that is lost', async () => {
    const agent = new UserAgent();
    await agent.get(request());
    for (const [auth_state, status] of [
      ['', 403],
      ['x', 400],
    ] as const) {
      const page = await agent.post(`${server.baseUrl}/login`, { auth_state, username: 'emma', password });
      assertErrorPage(page, status);
      assert.match(page.html, /<a class="button" href="\/account">/);
    }
    const nowhere = await agent.get(`${server.baseUrl}/logn`);
    assertErrorPage(nowhere, 404);
    assert.match(nowhere.html, /<a class="button" href="\/account">/);
  });
});
