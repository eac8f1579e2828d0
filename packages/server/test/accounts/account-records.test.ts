import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { noAccountClaims } from '@watchword/protocol';
import {
  type AccountServer,
  accountsPath,
  isLoggedIn,
  startAccountServer,
} from '@watchword/server-testkit/servers/account-server';
import {
  type Administering,
  anApi,
  anApp,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { buildAccount, slowTest } from '@watchword/testkit';
import { assertError } from '../support/error-answers.ts';
import { password } from '../support/login-dependencies.ts';

const usernameOf = ({ username }: { readonly username: string }) => username;

describe('local accounts over REST', () => {
  let server: AccountServer;
  let root: Administering;

  before(async () => {
    server = await startAccountServer();
    root = await server.logIn('root');
  });
  after(() => server[Symbol.asyncDispose]());

  const find = async (username: string) =>
    (await root.get(`${accountsPath}?username=${encodeURIComponent(username)}`)).json[0];
  const urlOf = async (username: string) => `${accountsPath}/${(await find(username)).id}`;
  const change = async (username: string, body: unknown) => root.call('PATCH', await urlOf(username), body);
  const reset = async (username: string) => root.call('POST', `${await urlOf(username)}/resetLink`);
  const refresh = (refresh_token: string) =>
    server.post(
      '/oauth2/token',
      { grant_type: 'refresh_token', refresh_token },
      'demo-app:demo-app-client-secret',
    );

  // lists/page.test.ts of the administration holds that a search goes on behind the rows of one reading.
  slowTest(
    'are found by a search wherever they are in the list, whose first page has their number',
    async () => {
      const many = 2600;
      const made = Array.from({ length: many }, (_, index) =>
        buildAccount({ username: `many${index}`, displayName: index === 2598 ? 'ÉMMA' : 'Many' }),
      );
      await server.service.store.transact(({ accounts }) => accounts.createAll(made));
      const found = await root.get(`${accountsPath}?q=many2599&limit=5`);
      assert.deepEqual([found.json.map(usernameOf), found.headers.get('link')], [['many2599'], null]);
      const folded = await root.get(`${accountsPath}?q=${encodeURIComponent('émma')}&limit=5`);
      assert.deepEqual(folded.json.map(usernameOf), ['many2598']);
      assert.deepEqual((await root.get(`${accountsPath}?q=no-such-name`)).json, []);
      const first = await root.get(`${accountsPath}?limit=1`);
      assert.ok(Number(first.headers.get('x-total-count')) > many);
    },
  );

  it('are found, as all records are, with white space at the ends of what is searched for', async () => {
    const api = await root.create('/admin/resourceServer', anApi);
    await root.create(`/admin/resourceServer/${api.id}/client`, anApp);
    await server.addAccount('emma');
    await server.grantTo('emma');
    for (const [path, name] of [
      [accountsPath, 'emma'],
      ['/admin/auditEvent', 'emma'],
      ['/admin/grant', 'emma'],
      ['/admin/accessToken', 'emma'],
      ['/admin/resourceServer', anApi.name],
      ['/admin/client', anApp.clientName],
      [`/admin/resourceServer/${api.id}/client`, anApp.clientName],
    ] as const) {
      const { json: found } = await root.get(`${path}?q=${encodeURIComponent(name)}`);
      assert.ok(found.length > 0, path);
      const pasted = await root.get(`${path}?q=${encodeURIComponent(` ${name}\u00a0\n`)}`);
      assert.deepEqual(pasted.json, found, path);
      assert.deepEqual((await root.get(`${path}?q=%20`)).json, (await root.get(path)).json, path);
    }
  });

  it('are created without a password, with a reset link that only this answer has', async () => {
    const made = await root.call('POST', accountsPath, { username: 'nina', groups: ['a', 'a'] });
    assert.equal(made.status, 201, made.text);
    const { id, subject, creationDate, resetLink, resetLinkExpires, ...fields } = made.json;
    assert.deepEqual(fields, {
      ...noAccountClaims,
      username: 'nina',
      displayName: 'nina',
      roles: [],
      groups: ['a'],
      adminPrincipal: false,
      disabled: false,
      hasPassword: false,
    });
    assert.equal(made.headers.get('location'), `${accountsPath}/${id}`);
    assert.equal(made.headers.get('etag'), '"1"');
    assert.equal(resetLinkExpires, creationDate + 3_600_000);
    assert.ok(resetLink.startsWith(`${server.service.baseUrl}/account/set-password?link=wwp_`));
    const read = await root.get(`${accountsPath}/${id}`);
    const { resetLink: _, ...shown } = made.json;
    assert.deepEqual(read.json, shown);
    assert.match(subject, /^[\w-]{43}$/);
    const value = new URL(resetLink).searchParams.get('link') ?? '';
    const events = (await root.get('/admin/auditEvent?recordType=account')).text;
    assert.match(events, /"create"/);
    for (const text of [events, server.log()]) assert.ok(!text.includes(value));
  });

  // Held by account-records.test.ts of the administration, and for a client by attacks/administration/rights.test.ts.
  slowTest('are for administrators only, and for no client that acts for itself', async () => {
    await server.addAccount('olaf');
    const client = await registeredClient();
    const ordinary = await server.logIn('olaf');
    const { id } = await find('root');
    for (const caller of [client, ordinary]) {
      const answers = [
        await caller.get(accountsPath),
        await caller.get(`${accountsPath}/${id}`),
        await caller.call('POST', accountsPath, { username: 'x' }),
        await caller.call('PATCH', `${accountsPath}/${id}`, { disabled: true }),
        await caller.call('POST', `${accountsPath}/${id}/resetLink`),
        await caller.call('DELETE', `${accountsPath}/${id}`),
      ];
      for (const answer of answers) assertError(answer, 403, 'access_denied');
    }
  });

  /** The administrator root owns the client, which has the scopes read and write. */
  async function registeredClient(): Promise<Administering> {
    const { json: servers } = await root.get('/admin/resourceServer?q=authorization-server-admin');
    const { clientId, secret } = await root.create(`/admin/resourceServer/${servers[0].id}/client`, {
      clientName: 'Script of an administrator',
      contactName: 'Ops',
      scopes: ['read', 'write'],
      allowedClientCredentials: true,
    });
    const form = { grant_type: 'client_credentials', scope: 'read write' };
    const { json } = await server.post('/oauth2/token', form, `${clientId}:${secret}`);
    return server.as(json.access_token);
  }

  // accounts/account-records.test.ts of the administration holds it for every operation.
  slowTest('answer 404 with the reason where users do not log in with local accounts', async () => {
    await using other = await startAdministration();
    const administrator = await other.administrator();
    const answer = await administrator.get(accountsPath);
    assertError(answer, 404, 'not_found');
    assert.match(answer.json.error_description, /the authenticator password is not configured/);
    assertError(await (await other.person('emma')).get(accountsPath), 403, 'access_denied');
  });

  it('report every violation at once, and reject a password and a taken username', async () => {
    const bad = { username: ' x', displayName: '', groups: [''], password: 'a long password' };
    const answer = await root.call('POST', accountsPath, bad);
    assertError(answer, 400, 'invalid_request');
    const fields = answer.json.violations.map((each: string) => each.slice(0, each.indexOf(':')));
    assert.deepEqual(new Set(fields), new Set(['username', 'groups', 'password']));
    assert.ok(!answer.text.includes('a long password'));
    assertError(await root.call('POST', accountsPath, { username: 'root' }), 409, 'conflict');
  });

  it('reject a username that looks like another one, and a display name that shows nothing', async () => {
    for (const unseen of ['\u3164', '\u2800', '\u034F', '\uFE0F', '\u200B', '\u{E0041}']) {
      const answer = await root.call('POST', accountsPath, {
        username: `root${unseen}`,
        displayName: unseen,
      });
      const fields = answer.json.violations.map((each: string) => each.slice(0, each.indexOf(':')));
      assert.deepEqual(fields, ['username', 'displayName'], JSON.stringify(unseen));
    }
  });

  it('are listed page by page by username, and found by name, display name, group and state', async () => {
    for (const name of ['page-a', 'page-b', 'page-c']) await root.create(accountsPath, { username: name });
    await change('page-b', { disabled: true, groups: ['Pagers'] });
    const first = await root.get(`${accountsPath}?q=PAGE-&limit=2`);
    const names = (json: { username: string }[]) => json.map(({ username }) => username);
    assert.deepEqual(names(first.json), ['page-a', 'page-b']);
    const next = /^<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await root.get(next);
    assert.deepEqual(names(second.json), ['page-c']);
    assert.equal(second.headers.get('link'), null);
    assert.deepEqual(names((await root.get(`${accountsPath}?q=pagers`)).json), ['page-b']);
    assert.deepEqual(names((await root.get(`${accountsPath}?q=page-&disabled=false`)).json), [
      'page-a',
      'page-c',
    ]);
    assert.deepEqual(names((await root.get(`${accountsPath}?adminPrincipal=true`)).json), ['root']);
    assert.deepEqual((await root.get(`${accountsPath}?username=page`)).json, []);
    const all = await root.get(`${accountsPath}?limit=1`);
    assert.ok(Number(all.headers.get('x-total-count')) > 3);
    assert.equal(first.headers.get('x-total-count'), null);
    assert.deepEqual(names((await root.get(`${accountsPath}?after=page-a&q=page-`)).json), [
      'page-b',
      'page-c',
    ]);
    const ready = await root.get(`${accountsPath}?hasPassword=true&adminPrincipal=true`);
    assert.deepEqual(names(ready.json), ['root']);
    const waiting = await root.get(`${accountsPath}?hasPassword=false&disabled=true&q=page-`);
    assert.deepEqual(names(waiting.json), ['page-b']);
    assertError(await root.get(`${accountsPath}?hasPassword=yes`), 400, 'invalid_request');
    assert.deepEqual((await root.get(`${accountsPath}?username=page-a&disabled=true`)).json, []);
    assert.deepEqual(names((await root.get(`${accountsPath}?username=page-b&disabled=true`)).json), [
      'page-b',
    ]);
  });

  it('are changed only in the state that If-Match names', async () => {
    const { id } = await root.create(accountsPath, { username: 'ifm' });
    const url = `${accountsPath}/${id}`;
    const when = (etag: string) => ({ 'if-match': etag });
    assert.equal((await root.call('PATCH', url, { groups: ['a'] }, when('"1"'))).headers.get('etag'), '"2"');
    const late = [
      await root.call('PATCH', url, { groups: ['b'] }, when('"1"')),
      await root.call('POST', `${url}/resetLink`, undefined, when('"1"')),
      await root.call('DELETE', url, undefined, when('"1"')),
    ];
    for (const answer of late) assertError(answer, 412, 'precondition_failed');
    assert.deepEqual((await root.get(url)).json.groups, ['a']);
    const whole = {
      displayName: 'If',
      roles: [],
      groups: [],
      adminPrincipal: false,
      disabled: false,
      username: 'other',
    };
    const replaced = await root.call('PUT', url, whole, when('"2"'));
    assert.deepEqual([replaced.json.username, replaced.json.displayName], ['ifm', 'If']);
    assertError(await root.call('PUT', url, { displayName: 'If' }), 400, 'invalid_request');
    assert.equal((await root.call('DELETE', url, undefined, when('"3"'))).status, 200);
    assertError(await root.get(url), 404, 'not_found');
  });

  // Held by account-records.test.ts of the administration.
  slowTest('keep everything valid when a change sets the values that are there', async () => {
    await server.addAccount('same');
    const agent = await server.browserOf('same');
    const answer = await change('same', { groups: ['staff'], disabled: false });
    assert.deepEqual(answer.json.ended, { loginSessions: 0, grants: 0 });
    assert.equal(answer.headers.get('etag'), '"1"');
    assert.ok(await isLoggedIn(agent, server));
  });

  it('lose sessions, grants and tokens when they are disabled, and get none back when they are enabled', async () => {
    await server.addAccount('dora');
    const agent = await server.browserOf('dora');
    const tokens = await server.grantTo('dora', agent);
    assert.equal(await server.tokenStatus(tokens.access_token), 200);
    const disabled = await change('dora', { disabled: true });
    assert.deepEqual(disabled.json.ended, { loginSessions: 1, grants: 1 });
    const assertEnded = async () => {
      assert.equal(await server.tokenStatus(tokens.access_token), 404);
      assertError(await refresh(tokens.refresh_token), 400, 'invalid_grant');
      assert.ok(!(await isLoggedIn(agent, server)));
    };
    await assertEnded();
    assert.ok(!(await isLoggedIn(await server.browserOf('dora'), server)));
    assert.equal((await change('dora', { disabled: false })).json.disabled, false);
    await assertEnded();
    assert.ok(await isLoggedIn(await server.browserOf('dora'), server));
  });

  it('lose sessions, grants, tokens and the password with a reset', async () => {
    await server.addAccount('reto');
    const agent = await server.browserOf('reto');
    const tokens = await server.grantTo('reto', agent);
    const answer = await reset('reto');
    assert.deepEqual(answer.json.ended, { loginSessions: 1, grants: 1 });
    assert.equal(answer.json.hasPassword, false);
    assert.equal(await server.tokenStatus(tokens.access_token), 404);
    assert.ok(!(await isLoggedIn(agent, server)));
    assert.ok(!(await isLoggedIn(await server.browserOf('reto'), server)));
    const [event] = (await root.get('/admin/auditEvent?recordType=account&limit=1')).json;
    const { action, recordName, before, after } = event;
    assert.deepEqual([action, recordName, before, after], ['resetPassword', 'reto', null, null]);
    await change('reto', { disabled: true });
    assertError(await reset('reto'), 409, 'conflict');
  });

  it('are deleted with everything, and an account of the same name has another subject', async () => {
    await server.addAccount('del');
    const agent = await server.browserOf('del');
    const tokens = await server.grantTo('del', agent);
    const { id, subject } = await find('del');
    const authorize = `${server.baseUrl}/authorize?response_type=code&client_id=demo-app`;
    assert.equal((await agent.get(authorize)).status, 303, 'the consent is remembered');
    const answer = await root.call('DELETE', `${accountsPath}/${id}`);
    assert.deepEqual(answer.json, { loginSessions: 1, grants: 2 });
    assert.equal(await server.tokenStatus(tokens.access_token), 404);
    assert.ok(!(await isLoggedIn(agent, server)));
    await server.addAccount('del');
    const again = await find('del');
    assert.notEqual(again.id, id);
    assert.notEqual(again.subject, subject);
    const consent = await (await server.browserOf('del')).get(authorize);
    assert.match(consent.html, /name="decision"/, 'the new account inherits no consent');
    assertError(await root.call('DELETE', `${accountsPath}/${id}`), 404, 'not_found');
  });

  slowTest(
    'leave no usable session or token when they are disabled during logins and refreshes',
    async () => {
      for (let round = 0; round < 5; round += 1) {
        const username = `race-${round}`;
        await server.addAccount(username);
        const { refresh_token } = await server.grantTo(username);
        const url = await urlOf(username);
        const [agents, refreshed, disabled] = await Promise.all([
          Promise.all([1, 2, 3].map(() => server.browserOf(username))),
          refresh(refresh_token),
          root.call('PATCH', url, { disabled: true }),
        ]);
        assert.equal(disabled.status, 200);
        for (const agent of agents) assert.ok(!(await isLoggedIn(agent, server)));
        if (refreshed.status !== 200) continue;
        assert.equal(await server.tokenStatus(refreshed.json.access_token), 404);
        assertError(await refresh(refreshed.json.refresh_token), 400, 'invalid_grant');
      }
    },
  );

  it('have no password in any answer or log', async () => {
    const { text } = await root.get(`${accountsPath}?limit=1000`);
    for (const secret of [password, 'argon2', 'passwordHash']) {
      assert.ok(!text.includes(secret) && !server.log().includes(secret), secret);
    }
  });

  // The last test: it can take the rights of root.
  it('keep the last administrator who can log in, also of two who remove each other at the same time', async () => {
    const url = await urlOf('root');
    // Without a password it is no administrator who can log in.
    await root.create(accountsPath, { username: 'unable', adminPrincipal: true });
    for (const answer of [
      await root.call('PATCH', url, { disabled: true }),
      await root.call('PATCH', url, { adminPrincipal: false }),
      await root.call('POST', `${url}/resetLink`),
      await root.call('DELETE', url),
    ]) {
      assertError(answer, 409, 'conflict');
    }
    await server.addAccount('second', true);
    const second = await server.logIn('second');
    const ofSecond = await urlOf('second');
    const answers = await Promise.all([
      root.call('PATCH', ofSecond, { disabled: true }),
      second.call('PATCH', url, { disabled: true }),
    ]);
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  });
});
