import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { describe, it, mock } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startOpenidProvider } from '@watchword/server-testkit/neighbours/openid-provider';
import { codeOf, exampleModule } from '@watchword/server-testkit/processes/guide';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { accountUsers } from '@watchword/server-testkit/servers/account-server';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { demoResourceServer, startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { followFlow, type ResourceOwnerAnswers } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { loadConfiguration } from '../../src/config/load.ts';
import { authorizePath } from '../support/module-server.ts';

const guides = ['modules.md', 'authentication-modules.md', 'module-pages.md', 'logins-at-other-servers.md'];
const blocks = guides.flatMap(codeOf);
/** The code of a file: the guides show it, or have a link to it. */
const fileOf = (name: string) => blocks.find(({ file }) => file === name)?.code ?? exampleModule(name);
const app = 'demo-app:demo-app-client-secret';

/** A service of the company that modules ask; `answer` gets the JSON of each request. */
async function startCompany(answer: (asked: Record<string, string>) => { status: number; body?: unknown }) {
  const authorizations: unknown[] = [];
  const service = createServer(async (request, response) => {
    authorizations.push(request.headers.authorization);
    const { status, body = {} } = answer((await json(request)) as Record<string, string>);
    response.writeHead(status).end(JSON.stringify(body));
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  return {
    authorizations,
    url: `http://127.0.0.1:${(service.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      service.close();
      service.closeAllConnections();
    },
  };
}

/** A server with a module of the guide. */
async function serverWith(setting: 'authenticator' | 'consent', name: string, options: object) {
  await using directory = await temporaryDirectory();
  const file = directory.file(name);
  await writeFile(file, fileOf(name));
  // The service of the company is on this machine.
  const outbound = { allowHttp: true, allowPrivateAddresses: true };
  return await startServer({
    [setting]: file,
    [`${setting}Options`]: JSON.stringify({ outbound, ...options }),
  });
}

/** Redeems the code of the redirect. */
async function tokenOf(server: TestServer, parameters: URLSearchParams) {
  const form = { grant_type: 'authorization_code', code: parameters.get('code') ?? '' };
  return (await server.post('/oauth2/token', form, app)).json;
}

/** The principal in the token info of a user who logs in and consents. */
async function principalOf(server: TestServer, parameters: URLSearchParams) {
  const { access_token } = await tokenOf(server, parameters);
  return (await server.post('/v1/tokeninfo', { access_token }, demoResourceServer)).json.principal;
}

const visit = (server: TestServer, answers: ResourceOwnerAnswers) =>
  followFlow(new UserAgent(), `${server.baseUrl}${authorizePath}`, answers);

describe('the guides to modules', () => {
  it('has no code that does not run in a test', () => {
    const names = blocks.map(({ language, file, code }) => file ?? `${language}: ${code.split('\n', 1)[0]}`);
    assert.deepEqual(names, [
      'yaml: authenticator: password',
      'sh: npx watchword user create emma --display-name "Emma Example" --group staff',
      'several.yaml',
      'careful-consent.yaml',
      'json: {',
      'package.yaml',
      'corporate-login.yaml',
      'openid-login.yaml',
    ]);
  });

  it('shows configuration files that load', async () => {
    for (const { language, code } of blocks) {
      if (language !== 'yaml') continue;
      await using directory = await temporaryDirectory();
      await writeFile(directory.file('watchword.yaml'), code);
      const file = directory.file('watchword.yaml');
      const { configuration } = await loadConfiguration({ flags: {}, environment: {}, file });
      const { authenticator, authenticators, consent } = configuration;
      const known = [authenticator, consent, ...authenticators.map(({ module }) => module)];
      const named = [...code.matchAll(/^(?:authenticator|consent| *- module): (\S+)$/gm)];
      assert.ok(named.length > 0, code);
      for (const [, name = ''] of named) {
        assert.ok(known.includes(name.startsWith('./') ? directory.file(name.slice(2)) : name), code);
      }
    }
  });

  it('shows commands for accounts that work', async () => {
    await using directory = await temporaryDirectory();
    const [shell] = blocks.filter(({ language }) => language === 'sh');
    const lines = shell?.code.trim().split('\n') ?? [];
    assert.equal(lines.length, 3);
    await copyMigrated(directory.file('x.db'));
    for (const line of lines) {
      const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
      const isCreation = words.includes('create');
      const flags = ['--database', directory.file('x.db'), ...(isCreation ? ['--password-stdin'] : [])];
      const { code, stderr } = await watchword([...words.slice(2), ...flags], {
        stdin: 'correct horse battery\n',
      });
      assert.equal(code, 0, `${line}: ${stderr}`);
    }
  });
});

describe('the modules of the guides', () => {
  it('corporate-login.js asks a service, and its principal is what token info answers', async () => {
    const person = { id: 'e-1', displayName: 'Emma', roles: ['staff'], groups: ['watchword-admins'] };
    await using company = await startCompany(({ username, password }) => {
      if (username === 'broken') return { status: 500 };
      return username === 'emma' && password === 'correct horse battery'
        ? { status: 200, body: person }
        : { status: 401 };
    });
    const options = { url: company.url, apiKey: 'k' };
    await using server = await serverWith('authenticator', 'corporate-login.js', options);
    for (const [username, status] of [
      ['mallory', 403],
      ['broken', 503],
    ] as const) {
      const agent = new UserAgent();
      const login = await agent.get(`${server.baseUrl}${authorizePath}`);
      const refused = await agent.submit(login, { username, password: 'x' });
      assert.equal(refused.status, status);
      assert.match(refused.html, /<title>Problem: /);
    }
    const { parameters } = await visit(server, { username: 'emma', password: 'correct horse battery' });
    assert.deepEqual(await principalOf(server, parameters), {
      name: 'e-1',
      roles: ['staff'],
      groups: ['watchword-admins'],
      adminPrincipal: true,
      attributes: { DISPLAY_NAME: 'Emma' },
    });
    assert.deepEqual(new Set(company.authorizations), new Set(['Bearer k']));
    assert.doesNotMatch(server.log(), /correct horse battery/);
  });

  it('badge-login.js, which the log says is for development alone, permits the script of its page and no other, and its form leads to the consent', async () => {
    await using server = await serverWith('authenticator', 'badge-login.js', {});
    assert.match(server.log(), /INSECURE: the authenticator module \\"badge\\" is for development only/);
    const agent = new UserAgent();
    // The page knows only the base URL.
    const page = await agent.get(`${server.service.baseUrl}${authorizePath}`);
    const [, script = ''] = /<script>(.*?)<\/script>/s.exec(page.html) ?? [];
    const digest = createHash('sha256').update(script).digest('base64');
    const [, permitted] = /script-src ([^;]*)/.exec(page.headers.get('content-security-policy') ?? '') ?? [];
    assert.equal(permitted, `'self' 'sha256-${digest}'`);
    const consent = await agent.submit(page, { badge: '123456' });
    assert.match((await agent.submit(consent, { decision: 'allow' })).location ?? '', /[?&]code=/);
  });

  it('mail-login.js sends a code, shows so as a hint and not as an error, and accepts it once', async () => {
    const mails: Record<string, string>[] = [];
    await using company = await startCompany((mail) => {
      mails.push(mail);
      return { status: 200 };
    });
    await using server = await serverWith('authenticator', 'mail-login.js', { mailer: company.url });
    const agent = new UserAgent();
    const first = await agent.get(`${server.baseUrl}${authorizePath}`);
    assert.deepEqual(
      first.forms[0]?.controls.map(({ name }) => name),
      ['auth_state', 'address'],
    );
    const stranger = await agent.submit(first, { address: 'emma@evil.example' });
    assert.deepEqual([stranger.status, /That is no address of ours\./.test(stranger.text)], [403, true]);

    const asked = await agent.submit(stranger, { address: 'Emma@example.com' });
    assert.equal(asked.status, 200);
    assert.match(asked.text, /We have sent a code to \S*emma@example\.com/);
    assert.match(asked.html, /autocomplete="one-time-code"/);
    assert.doesNotMatch(asked.html, /Problem/);
    const again = await agent.submit(stranger, { address: 'emma@example.com' });
    assert.equal(again.status, 429);
    assert.deepEqual(
      mails.map(({ to }) => to),
      ['emma@example.com'],
    );

    const code = mails[0]?.code ?? '';
    const wrong = await agent.submit(asked, { code: code === '00000000' ? '00000001' : '00000000' });
    assert.match(wrong.html, /<title>Problem: /);
    // The page before is used, so it is rejected also with the right code.
    assert.match((await agent.submit(asked, { code })).location ?? '', /error=access_denied/);
    const consent = await agent.submit(wrong, { code });
    const { location } = await agent.submit(consent, { decision: 'allow' });
    const principal = await principalOf(server, new URL(location ?? '').searchParams);
    assert.equal(principal.name, 'emma@example.com');
    const [failed] = server.log().match(/.*a login failed.*/) ?? [];
    assert.match(failed ?? '', /"reason":"own\.mail\.stranger"/);
    assert.doesNotMatch(server.log(), /emma@/);
  });

  it('mail-login.js makes who guesses wait after five codes, whichever code was sent', async () => {
    const codes: (string | undefined)[] = [];
    await using company = await startCompany(({ code }) => {
      codes.push(code);
      return { status: 200 };
    });
    await using server = await serverWith('authenticator', 'mail-login.js', { mailer: company.url });
    const agent = new UserAgent();
    const first = await agent.get(`${server.baseUrl}${authorizePath}`);
    let page = await agent.submit(first, { address: 'emma@example.com' });
    for (let guess = 0; guess < 5; guess += 1) {
      page = await agent.submit(page, { code: 'wrong' });
      assert.equal(page.status, 403);
    }
    assert.equal((await agent.submit(page, { code: codes[0] ?? '' })).status, 429);
  });

  it('openid-login.js, as a package in its folder, logs users in at an independent OpenID provider', async () => {
    mock.method(console, 'warn', () => {});
    await using directory = await temporaryDirectory();
    const folder = directory.file('watchword-openid-login');
    const [manifest] = blocks.filter(({ language }) => language === 'json');
    const { main, dependencies } = JSON.parse(manifest?.code ?? '');
    await mkdir(`${folder}/node_modules`, { recursive: true });
    await writeFile(`${folder}/package.json`, manifest?.code ?? '');
    await writeFile(`${folder}/${main}`, fileOf('openid-login.js'));
    // The packages that `npm install` adds.
    for (const name of Object.keys(dependencies)) {
      const installed = fileURLToPath(new URL(`../../../../node_modules/${name}`, import.meta.url));
      await symlink(installed, `${folder}/node_modules/${name}`);
    }
    const client = { clientId: 'watchword', secret: 'a-secret-of-the-provider-s-clients' };
    let baseUrl = '';
    await using provider = await startOpenidProvider({
      ...client,
      redirectUri: () => `${baseUrl}/openid/callback`,
    });
    const { clientId, secret: clientSecret } = client;
    const options = JSON.stringify({ issuer: provider.issuer, clientId, clientSecret });
    await using server = await startServer({
      authenticator: folder,
      authenticatorOptions: options,
      consent: 'noop',
    });
    baseUrl = server.service.baseUrl;

    const agent = new UserAgent();
    const signIn = async (more = '') => {
      const away = await agent.get(`${baseUrl}${authorizePath}${more}`);
      const back = await provider.logIn(agent, away.location ?? '', 'emma');
      return new URL((await agent.get(back)).location ?? '').searchParams;
    };
    const principal = await principalOf(server, await signIn());
    assert.equal(principal.name, 'emma');
    const [event] = await server.service.store.auditEvents.list({ kind: 'logins', limit: 1 });
    assert.equal(event?.owner.identityProvider, provider.issuer);
    // A client that requests a new login gets one, also with a session at the provider.
    assert.equal(provider.requests.at(-1)?.get('prompt'), null);
    assert.ok((await signIn('&prompt=login')).get('code'));
    assert.equal(provider.requests.at(-1)?.get('prompt'), 'login');

    const away = await agent.get(`${baseUrl}${authorizePath}&prompt=login`);
    const back = new URL(await provider.logIn(agent, away.location ?? '', 'emma'));
    back.searchParams.set('code', 'forged');
    const refused = new URL((await agent.get(back.href)).location ?? '').searchParams;
    assert.equal(refused.get('error'), 'access_denied');
    assert.match(server.log(), /the answer of the OpenID provider was rejected/);
  });

  it('careful-consent.js decides by the client, and asks for sensitive scopes each time', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.file('careful-consent.js'), fileOf('careful-consent.js'));
    await using server = await startServer({
      authenticator: fileURLToPath(import.meta.resolve('@watchword/server-testkit/people/any-person')),
      consent: directory.file('careful-consent.js'),
      consentOptions: JSON.stringify({ sensitive: ['write'], ours: 'https://ours.example' }),
    });
    const asOne = (persona: object, scopes?: string[]) =>
      visit(server, { username: 'emma', password: JSON.stringify(persona), ...(scopes && { scopes }) });
    const staff = { identityProvider: 'https://ours.example', groups: ['staff'] };
    const all = await tokenOf(server, (await asOne(staff, ['read', 'write'])).parameters);
    assert.equal(all.scope, 'read write');
    // No box is ticked, so an answer without changes grants the other scopes.
    const rest = await tokenOf(server, (await asOne(staff)).parameters);
    assert.equal(rest.scope, 'read');
    for (const persona of [
      { ...staff, identityProvider: 'https://theirs.example' },
      { ...staff, groups: [] },
    ]) {
      await assert.rejects(asOne(persona, ['read', 'write']), /403: [\s\S]*Only people of the company/);
    }
    const denied = await visit(server, {
      username: 'emma',
      password: JSON.stringify(staff),
      decision: 'deny',
    });
    assert.equal(denied.parameters.get('error'), 'access_denied');
  });
});

describe('a folder that is configured as a module', () => {
  it('is reported with its missing file when its package has no entry point', async () => {
    await using directory = await temporaryDirectory();
    const { code, stderr } = await watchword([
      ...['serve', '--port', '0', '--database', directory.file('x.db'), '--authenticator', directory.path],
    ]);
    assert.equal(code, 2);
    assert.match(stderr, /the folder has no package\.json whose "main" is a file, and no index\.js$/m);
  });
});

describe('a module around another one', () => {
  it('has the local accounts of the module that it is made of, and decides on their logins (open-hours.js)', async () => {
    const password = 'correct horse battery';
    for (const [hours, expected] of [
      [Array.from({ length: 24 }, (_, hour) => hour), 'emma'],
      [[], 'access_denied'],
    ] as const) {
      await using server = await serverWith('authenticator', 'open-hours.js', { hours });
      const users = await accountUsers(server);
      await users.addAccount('emma');
      const { parameters } = await visit(server, { username: 'emma', password });
      const came = parameters.get('error') ?? (await principalOf(server, parameters)).name;
      assert.equal(came, expected);
      const [event] = await server.service.store.auditEvents.list({ kind: 'logins', limit: 1 });
      if (expected === 'emma') assert.equal(event?.owner.identityProvider, 'password');
      assert.ok((await visit(server, { username: 'root', password })).parameters.has('code'));
      await assert.rejects(visit(server, { username: 'root', password: 'wrong' }), /403/);
    }
  });

  it('has no other name than that of the local accounts, and a module that only says so has not theirs', async () => {
    await using directory = await temporaryDirectory();
    const around = directory.file('around.js');
    await writeFile(around, fileOf('open-hours.js'));
    const named = JSON.stringify([{ module: around, as: 'hours', options: { hours: [] } }]);
    await assert.rejects(
      startServer({ authenticators: named }),
      /local accounts, which exist once.*remove as/,
    );
    const posing = directory.file('posing.mjs');
    await writeFile(
      posing,
      `export default async ({ authenticator }) => ({ ...(await authenticator('form')), name: 'password' });`,
    );
    await assert.rejects(startServer({ authenticator: posing }), /reserved for the local accounts/);
  });
});
