import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { codeOf, fileOf } from '@watchword/server-testkit/processes/guide';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import {
  type AdministrationServer,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { startServer } from '@watchword/server-testkit/servers/server';
import { sql } from '@watchword/server-testkit/servers/sql';
import { answeredBy } from '@watchword/testkit/follow-flow';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { loadConfiguration } from '../../src/config/load.ts';
import { assertErrorPage } from '../support/browser-answers.ts';

const terms = {
  name: 'terms',
  version: '2026-11',
  title: { en: 'Terms of use', de: 'Nutzungsbedingungen' },
  text: 'Be kind.\n\nNever use {this} for <b>spam</b>.',
  url: 'https://www.example.com/terms?v=2026-11&lang=en',
};
const training = { name: 'training', version: '1', title: 'Training', text: 'Done?', groups: ['staff'] };
const requiredActions = (...actions: readonly object[]) => ({ requiredActions: JSON.stringify(actions) });

const authorizePath = '/authorize?response_type=code&client_id=demo-app&scope=read&state=s';
let users = 0;

/** Logs in somebody new, and resolves with the page after the login. */
async function logIn(
  { baseUrl }: { readonly baseUrl: string },
  { agent = new UserAgent(), person = {}, path = authorizePath, username = '' } = {},
) {
  users += 1;
  const name = username || `user-${users}`;
  const login = await agent.get(`${baseUrl}${path}`);
  return {
    agent,
    name,
    page: await agent.submit(login, { username: name, password: JSON.stringify(person) }),
  };
}

const headingOf = ({ html }: Page) => /<h1>(.*?)<\/h1>/.exec(html)?.[1]?.replaceAll(/<[^>]*>/g, '');
const parametersOf = ({ location, text }: Page) => answeredBy(location ?? assert.fail(text));

describe('a required action', () => {
  let server: AdministrationServer;
  before(async () => {
    server = await startAdministration(requiredActions(terms, training));
  });
  after(() => server[Symbol.asyncDispose]());

  const recordsOf = async (name: string) => {
    const text = 'select step_name, step_version from step_record where principal_name = ? order by 1';
    return (await sql(server.database, text, name)).map((row) => Object.values(row).join(' '));
  };
  const sessionsOf = async (name: string) => {
    const query = new URLSearchParams({
      response_type: 'token',
      client_id: 'authorization-server-admin-js-client',
      redirect_uri: `${server.service.baseUrl}/client/client.html`,
      scope: 'read write',
    });
    const path = `/authorize?${query}`;
    const { agent, page } = await logIn(server, { path, person: { adminPrincipal: true } });
    const token = parametersOf(await agent.submit(page, { choice: 'agree' })).get('access_token');
    const list = `/admin/loginSession?resourceOwnerId=${name}&identityProvider=any-person`;
    return (await server.as(token ?? '').get(list)).json;
  };

  it('is shown in the words of the operator after the login, and nobody is logged in until it is agreed to', async () => {
    const { agent, name, page } = await logIn(server);
    assert.equal(headingOf(page), 'Terms of use');
    assert.ok(page.text.includes('Never use {this} for <b>spam</b>.'), page.text);
    assert.ok(page.html.includes('href="https://www.example.com/terms?v=2026-11&amp;lang=en"'));
    assert.ok(page.text.includes(name));
    assert.ok(!agent.cookies.some((cookie) => cookie.name.endsWith('watchword_session')));
    assert.ok(
      (await agent.get(`${server.baseUrl}/account`)).forms.some(({ action }) => action.endsWith('/login')),
    );
    assert.deepEqual(await sessionsOf(name), []);
    const consent = await agent.submit(page, { choice: 'agree' });
    assert.ok(
      consent.forms.some(({ action }) => action.endsWith('/consent')),
      consent.text,
    );
    const { code, state } = Object.fromEntries(
      parametersOf(await agent.submit(consent, { decision: 'allow' })),
    );
    assert.ok(code);
    assert.equal(state, 's');
    assert.deepEqual(await recordsOf(name), ['action terms 2026-11']);
    assert.equal((await agent.get(`${server.baseUrl}/account`)).status, 200);
    const again = await logIn(server, { username: name });
    assert.ok(again.page.forms.length === 0 || headingOf(again.page) !== 'Terms of use', again.page.text);
  });

  it('is shown in the language of the browser, and its buttons too', async () => {
    const german = await logIn(server, { agent: new UserAgent({ 'accept-language': 'de' }) });
    assert.equal(headingOf(german.page), 'Nutzungsbedingungen');
    assert.ok(german.page.text.includes('Ich stimme zu'));
    const dutch = await logIn(server, { agent: new UserAgent({ 'accept-language': 'nl' }) });
    assert.equal(headingOf(dutch.page), 'Terms of use');
    assert.ok(dutch.page.text.includes('Ik ga akkoord'));
  });

  it('that is declined gives the client access_denied, and the page of the own account an error', async () => {
    const { agent, name, page } = await logIn(server);
    const denied = parametersOf(await agent.submit(page, { choice: 'decline' }));
    assert.deepEqual([denied.get('error'), denied.get('state')], ['access_denied', 's']);
    assert.deepEqual(await recordsOf(name), []);
    const own = await logIn(server, { path: '/account' });
    const refused = await own.agent.submit(own.page, { choice: 'decline' });
    assertErrorPage(refused, 403);
    assert.ok(refused.text.includes('You have not signed in'), refused.text);
    assert.ok(
      (await own.agent.get(`${server.baseUrl}/account`)).forms.some(({ action }) =>
        action.endsWith('/login'),
      ),
    );
  });

  it('is asked of its groups alone, one after the other', async () => {
    const { agent, name, page } = await logIn(server, { person: { groups: ['staff'] } });
    const second = await agent.submit(page, { choice: 'agree' });
    assert.equal(headingOf(second), 'Training');
    const third = await agent.submit(second, { choice: 'agree' });
    assert.ok(third.forms.some(({ action }) => action.endsWith('/consent')));
    assert.deepEqual(await recordsOf(name), ['action terms 2026-11', 'action training 1']);
  });

  it('leads a user to the own account too', async () => {
    const { agent, page } = await logIn(server, { path: '/account' });
    const { location } = await agent.submit(page, { choice: 'agree' });
    assert.equal(new URL(location ?? '').pathname, '/account');
  });

  it('has a page that no other site and no other browser can send', async () => {
    const { page } = await logIn(server);
    const auth_state = page.forms[0]?.controls.find(({ name }) => name === 'auth_state')?.value ?? '';
    const stranger = new UserAgent();
    assertErrorPage(
      await stranger.post(`${server.baseUrl}/login/step`, { auth_state, choice: 'agree' }),
      403,
    );
    await stranger.get(`${server.baseUrl}${authorizePath}`);
    assertErrorPage(
      await stranger.post(`${server.baseUrl}/login/step`, { auth_state, choice: 'agree' }),
      400,
    );
  });

  it('works after each of several authenticators', async () => {
    const authenticators = JSON.stringify([
      { module: 'form', as: 'one' },
      { module: 'form', as: 'two' },
    ]);
    await using two = await startServer({ authenticators, consent: 'noop', ...requiredActions(terms) });
    for (const hint of ['one', 'two']) {
      const path = `${authorizePath}&authenticator_hint=${hint}`;
      const { agent, page } = await logIn(two, { path, username: 'emma' });
      assert.equal(headingOf(page), 'Terms of use', hint);
      assert.ok(parametersOf(await agent.submit(page, { choice: 'agree' })).get('code'));
    }
  });

  it('is asked again for a new version, also in a session that goes on, which "no" does not end', async () => {
    await using directory = await temporaryDirectory();
    const database = directory.file('x.db');
    // Both servers have the same address, as one that is started again.
    const flags = { database, consent: 'noop', baseUrl: 'http://localhost:8080' };
    const agent = new UserAgent();
    let page: Page;
    {
      await using old = await startServer({ ...flags, ...requiredActions(terms) });
      ({ page } = await logIn(old, { agent, username: 'emma' }));
      assert.ok(parametersOf(await agent.submit(page, { choice: 'agree' })).get('code'));
      assert.ok(parametersOf(await agent.get(`${old.baseUrl}${authorizePath}`)).get('code'));
    }
    await using next = await startServer({ ...flags, ...requiredActions({ ...terms, version: '2027-01' }) });
    const silent = await agent.get(`${next.baseUrl}${authorizePath}&prompt=none`);
    assert.equal(parametersOf(silent).get('error'), 'interaction_required');
    page = await agent.get(`${next.baseUrl}${authorizePath}`);
    assert.equal(headingOf(page), 'Terms of use');
    assert.equal(parametersOf(await agent.submit(page, { choice: 'decline' })).get('error'), 'access_denied');
    assert.equal((await agent.get(`${next.baseUrl}/account`)).status, 200);
    page = await agent.get(`${next.baseUrl}${authorizePath}`);
    assert.ok(parametersOf(await agent.submit(page, { choice: 'agree' })).get('code'));
    assert.ok(parametersOf(await agent.get(`${next.baseUrl}${authorizePath}`)).get('code'));
  });
});

describe('the guide to required actions', () => {
  it('shows a configuration that loads, and a query that finds who agreed', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.file('watchword.yaml');
    await writeFile(file, fileOf('required-actions.md', 'watchword.yaml'));
    const { configuration } = await loadConfiguration({ flags: {}, environment: {}, file });
    const shown = configuration.requiredActions;
    await using server = await startServer({ consent: 'noop', ...requiredActions(...shown) });
    const { agent, page } = await logIn(server, { username: 'emma' });
    assert.equal(headingOf(page), 'Terms of use');
    assert.equal(page.html.match(/class="step-text"/g)?.length, 3);
    await agent.submit(page, { choice: 'agree' });
    const command = codeOf('required-actions.md').find(({ language }) => language === 'sh')?.code ?? '';
    // PostgreSQL has another function for times.
    const query = /"(select [^"]*)"/.exec(command)?.[1]?.replace(/datetime\([^)]*\)/, 'done_at');
    const [row] = await sql(server.database, query ?? assert.fail(command));
    assert.deepEqual([row?.principal_name, row?.step_version], ['emma', '2026-11']);
  });
});
