import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { registerApplication } from '@watchword/server-testkit/clients/application';
import { anyPerson } from '@watchword/server-testkit/servers/administration';
import { demoClient, startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { answeredBy } from '@watchword/testkit/follow-flow';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { browserCookieJar } from '../../src/http/browser-cookies.ts';
import { languageChoice } from '../../src/http/language-choice.ts';
import { assertErrorPage } from '../support/browser-answers.ts';

const terms = { name: 'terms', version: '1', title: 'Terms of use', text: 'Be kind.' };

let server: TestServer;
let authorizeUrl: (parameters?: Record<string, string>) => string;
before(async () => {
  const requiredActions = JSON.stringify([{ ...terms, groups: ['staff'] }]);
  server = await startServer({ authenticator: anyPerson, requiredActions });
  ({ authorizeUrl } = await registerApplication(server, { redirectUris: ['https://app.example/cb'] }));
});
after(() => server[Symbol.asyncDispose]());

const languageOf = ({ html }: Page) => /<html lang="([^"]*)"/.exec(html)?.[1];
const pathOf = ({ url }: Page) => new URL(url).pathname;
const stateOf = ({ html }: Page) => /name="auth_state" value="([^"]*)"/.exec(html)?.[1] ?? '';
const as = (username: string) => ({ username, password: '{}' });

describe('the choice of a language', () => {
  it('keeps an authorization request in progress, on its login page and on its consent page', async () => {
    const agent = new UserAgent();
    const login = await agent.get(authorizeUrl({ state: 'kept' }));
    const german = await agent.submit(login, { language: 'de' });
    assert.deepEqual([german.status, languageOf(german)], [200, 'de']);
    assert.doesNotMatch(german.html, /class="message/);
    const again = await agent.submit(german, { language: 'fr' });
    assert.equal(languageOf(again), 'fr');
    const consent = await agent.submit(again, as('emma'));
    assert.equal(languageOf(consent), 'fr');
    const polish = await agent.submit(consent, { language: 'pl' });
    assert.equal(languageOf(polish), 'pl');
    assert.doesNotMatch(polish.html, /class="message/);
    const { location = '' } = await agent.submit(polish, { decision: 'allow' });
    assert.equal(answeredBy(location).get('state'), 'kept');
  });

  it('demands no login twice that the client demands once', async () => {
    const agent = new UserAgent();
    const login = await agent.get(authorizeUrl({ prompt: 'login', state: 'new' }));
    const consent = await agent.submit(login, as('mia'));
    const { location = '' } = await agent.submit(await agent.submit(consent, { language: 'de' }), {
      decision: 'deny',
    });
    assert.equal(answeredBy(location).get('error'), 'access_denied');
  });

  it('keeps the first factor at a step of the login', async () => {
    const agent = new UserAgent();
    const login = await agent.get(authorizeUrl());
    const step = await agent.submit(login, {
      username: 'lea',
      password: JSON.stringify({ groups: ['staff'] }),
    });
    const dutch = await agent.submit(step, { language: 'nl' });
    assert.equal(languageOf(dutch), 'nl');
    assert.match(dutch.text, /Terms of use/);
    assert.match((await agent.submit(dutch, { choice: 'agree' })).html, /name="decision"/);
  });

  it('shows the consent of somebody else to nobody unasked', async () => {
    const agent = new UserAgent();
    const consent = await agent.submit(await agent.get(authorizeUrl()), as('noa'));
    await agent.submit(await agent.get(authorizeUrl({ prompt: 'login' })), {
      username: 'ada',
      password: '{}',
    });
    const shown = await agent.submit(consent, { language: 'de' });
    assert.match(shown.text, /inzwischen als jemand anderes angemeldet/);
    assert.match(shown.html, /name="decision"/);
  });

  it('shows account, start, logout, errors and unknown addresses again at their own addresses', async () => {
    const agent = new UserAgent();
    await agent.submit(await agent.get(`${server.baseUrl}/account`), as('ines'));
    for (const [path, status] of [
      ['/account', 200],
      ['/', 200],
      ['/logout', 200],
      ['/authorize?client_id=nobody&response_type=code', 400],
      ['/nowhere?a=b%20c', 404],
    ] as const) {
      const url = `${server.baseUrl}${path}`;
      for (const language of ['it', 'es']) {
        const page = await agent.submit(await agent.get(url), { language });
        assert.deepEqual([page.url, page.status, languageOf(page)], [url, status, language]);
      }
    }
    const loggedOut = await agent.submit(await agent.get(`${server.baseUrl}/logout`), {});
    const page = await agent.submit(loggedOut, { language: 'pt' });
    assert.deepEqual([pathOf(page), languageOf(page)], ['/logout', 'pt']);
    assert.match(page.text, /Você saiu/);
  });

  it('goes before the languages of the client, and those before the languages of the browser', async () => {
    const agent = new UserAgent({ 'accept-language': 'nl' });
    const url = authorizeUrl({ ui_locales: 'fr' });
    assert.equal(languageOf(await agent.get(`${server.baseUrl}/`)), 'nl');
    assert.equal(languageOf(await agent.get(url)), 'fr');
    await agent.submit(await agent.get(`${server.baseUrl}/`), { language: 'de' });
    assert.equal(languageOf(await agent.get(url)), 'de');
    agent.plantCookie('watchword_language=tlh');
    assert.equal(languageOf(await agent.get(url)), 'fr');
  });

  it('is of a language that pages have, and of a page that can come again', async () => {
    const agent = new UserAgent();
    const login = await agent.get(authorizeUrl());
    for (const language of ['xx', '', 'de; Domain=evil.example', 'constructor']) {
      assertErrorPage(await agent.post(`${server.baseUrl}/account`, { language }));
    }
    const url = `${server.baseUrl}/language`;
    for (const page of ['account', '//evil.example', 'https://evil.example', '__proto__', '']) {
      assertErrorPage(await agent.post(url, { language: 'de', page, auth_state: stateOf(login) }));
    }
    const form = { page: 'consent', auth_state: stateOf(login), language: 'de' };
    assertErrorPage(await agent.post(url, form));
    assert.ok(agent.cookies.every(({ name }) => !name.includes('language')));
  });

  it('never leads to another host', () => {
    const choice = languageChoice({
      cookies: browserCookieJar('https://as.example', 600),
      languages: () => ['de'],
      prefix: '',
    });
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    const body = Buffer.from('language=de');
    const request = { id: '1', method: 'POST', source: '', route: '', parameters: {}, headers, body };
    for (const path of [
      '//evil.example/x',
      '/\\evil.example/x',
      '/.//evil.example/x',
      '/a/..//\\evil.example/x',
    ]) {
      const { headers: answered } = choice.take({ ...request, url: path });
      assert.equal(answered?.location, '/evil.example/x', path);
    }
  });

  it('is not taken from a page of another site', async () => {
    const agent = new UserAgent();
    const login = await agent.get(authorizeUrl());
    const url = `${server.baseUrl}/account`;
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, {}]) {
      assertErrorPage(await agent.postFromElsewhere(url, { language: 'de' }, headers), 403);
    }
    const form = { page: 'login', auth_state: stateOf(login), language: 'de' };
    assertErrorPage(await new UserAgent().post(`${server.baseUrl}/language`, form), 403);
    assertErrorPage(await agent.postFromElsewhere(`${server.baseUrl}/language`, form), 403);
    assert.ok(agent.cookies.every(({ name }) => !name.includes('language')));
  });

  it('is kept for a year, in a cookie that no script reads and no other site sends', async () => {
    const headers = { 'sec-fetch-site': 'same-origin', accept: 'text/html' };
    const url = `${server.baseUrl}/account?a=1`;
    const body = new URLSearchParams({ language: 'de' });
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' });
    assert.equal(answer.headers.get('location'), '/account?a=1');
    assert.equal(
      answer.headers.get('set-cookie'),
      'watchword_language=de; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax',
    );
  });

  it('leaves the answers for programs alone', async () => {
    const answer = await server.post('/oauth2/token', 'language=de', demoClient);
    assert.equal(answer.status, 400);
  });
});
