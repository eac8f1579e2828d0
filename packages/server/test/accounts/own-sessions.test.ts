import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { placeDatabase } from '@watchword/testkit/place-database';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { assertErrorPage, assertPageHeaders } from '../support/browser-answers.ts';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const hostile = '"><script>alert(1)</script> Firefox/1 (<b>)';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let server: TestServer;
before(async () => {
  directory = await temporaryDirectory();
  const file = directory.file('places.mmdb');
  await writeFile(
    file,
    placeDatabase(
      '127.0.0.0',
      8,
      { en: 'Utrecht', de: 'Utrecht (Stadt)' },
      { en: 'Netherlands', de: 'Niederlande' },
    ),
  );
  server = await startServer({ 'pages.placeDatabase': file });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

const accountUrl = () => `${server.baseUrl}/account`;
async function signedIn(username: string, headers: Record<string, string> = {}): Promise<UserAgent> {
  const agent = new UserAgent({ 'user-agent': firefox, ...headers });
  await agent.submit(await agent.get(accountUrl()), { username, password: 'x' });
  return agent;
}
const sessionForms = (page: Page) =>
  page.forms.filter(({ controls }) => controls.some(({ name }) => name === 'session'));
const valueIn = (page: Page, name: string) =>
  page.forms.flatMap(({ controls }) => controls).find((control) => control.name === name)?.value ?? '';

describe('the sessions on the account page', () => {
  it('are named by browser, system, address and, with a database of the operator, place', async () => {
    const agent = await signedIn('ada');
    const { text } = await agent.get(accountUrl());
    assert.match(text, /Firefox, Linux This browser 127\.0\.0\.1 · Utrecht, Netherlands Signed in: /);
    const german = await signedIn('ada', { 'accept-language': 'de' });
    assert.match((await german.get(accountUrl())).text, /Utrecht \(Stadt\), Niederlande/);
  });

  it('LC-11: show nothing of a hostile User-Agent, and no address that the browser claims', async () => {
    const agent = await signedIn('bob', { 'user-agent': hostile, 'x-forwarded-for': '198.51.100.1<b>' });
    const page = await agent.get(accountUrl());
    assert.match(page.text, / Firefox This browser 127\.0\.0\.1 /);
    assert.doesNotMatch(page.html, /<script>alert|198\.51|<b>/);
    assertPageHeaders(page);
  });

  it('LC-1: end only by a form of that user in that browser, and only sessions of that user', async () => {
    const [first, second, mallory] = [
      await signedIn('carl'),
      await signedIn('carl'),
      await signedIn('mallory'),
    ];
    const page = await first.get(accountUrl());
    const [auth_state, session] = [valueIn(page, 'auth_state'), valueIn(page, 'session')];
    const end = `${server.baseUrl}/account/sessions`;
    assertErrorPage(await mallory.post(end, { session }), 403);
    assertErrorPage(await mallory.post(end, { auth_state, session }), 400);
    assertErrorPage(await mallory.post(end, { auth_state, everywhere: 'yes' }), 400);
    const own = valueIn(await mallory.get(accountUrl()), 'auth_state');
    assertErrorPage(await mallory.post(end, { auth_state: own, session }), 404);
    assert.match((await second.get(accountUrl())).text, /Signed in as carl/);
    const ended = await first.submit({ ...page, forms: sessionForms(page) }, {});
    assert.match(ended.text, /You are signed out there/);
    assert.equal(sessionForms(ended).length, 0);
    assert.match((await second.get(accountUrl())).text, /Password/);
  });

  it('end everywhere, in this browser too', async () => {
    const [first, second] = [await signedIn('dora'), await signedIn('dora')];
    const page = await first.get(accountUrl());
    const auth_state = valueIn(page, 'auth_state');
    const done = await first.post(`${server.baseUrl}/account/sessions`, { auth_state, everywhere: 'yes' });
    assert.match(done.text, /You are signed out/);
    for (const agent of [first, second]) assert.match((await agent.get(accountUrl())).text, /Password/);
  });

  it('have no place by a file that is no such database: the server does not start', async () => {
    const file = directory.file('other.mmdb');
    await writeFile(file, 'no database');
    await assert.rejects(
      startServer({ 'pages.placeDatabase': file }),
      /pages\.placeDatabase.*MaxMind DB format/,
    );
  });
});
