import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import {
  bin,
  type CommandResult,
  cleanEnvironment,
  temporaryDirectory,
  until,
  watchword,
} from '@watchword/server-testkit/processes/process';
import { type AccountServer, startAccountServer } from '@watchword/server-testkit/servers/account-server';
import { variants } from '@watchword/testkit';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { main } from '../../src/main.ts';

const root = { username: 'root', password: 'correct horse battery' };
const cliId = 'authorization-server-admin-cli';

describe('a login by the command line', () => {
  let server: AccountServer;
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let env: Record<string, string>;
  before(async () => {
    directory = await temporaryDirectory();
    env = { XDG_CONFIG_HOME: directory.file('config') };
    server = await startAccountServer();
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await directory[Symbol.asyncDispose]();
  });

  const file = (name: string) => directory.file(`config/watchword/profiles/${name}.json`);
  const run = (...args: string[]) => watchword(args, { env });
  const done = ({ code, stdout, stderr }: CommandResult) => {
    assert.equal(code, 0, stderr);
    return stdout;
  };

  /** Starts `watchword login` and does what a browser does with the address that it prints. */
  async function login(
    args: readonly string[],
    browse: (url: string) => Promise<unknown> = (url) => logInAndReturn(url),
    browser?: Record<string, string>,
  ): Promise<CommandResult> {
    let [stdout, stderr] = ['', ''];
    const { promise: address, resolve } = Promise.withResolvers<string>();
    const how = browser === undefined ? ['--no-browser'] : [];
    const ended = main([process.execPath, bin, 'login', ...how, ...args], {
      env: cleanEnvironment({ ...env, ...browser }),
      stdin: process.stdin,
      stdout: { write: (text) => (stdout += text) },
      stderr: {
        write(text) {
          stderr += text;
          const [url] = /http\S+\/authorize\S+/.exec(stderr) ?? [];
          if (url !== undefined) resolve(url);
        },
      },
    });
    const browsing = Promise.race([address, ended]).then((url) =>
      typeof url === 'string' ? browse(url) : undefined,
    );
    const [code] = await Promise.all([ended, browsing]);
    return { code, stdout, stderr };
  }

  /** The browser of root, who enters the password once. */
  const browserOfRoot = new UserAgent();

  /** Logs in and agrees. @returns the answer of the command */
  async function logInAndReturn(url: string, agent = browserOfRoot, user = root) {
    const { location } = await followFlow(agent, url, user);
    return fetch(location);
  }

  it('lets commands administer the server, which they name, until the logout', async () => {
    const url = server.service.baseUrl;
    const { code, stdout, stderr } = await login([url, '--profile', 'mine']);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /Logged in to \S+ as root, an administrator\.\n.*profile mine\./);
    const listed = await run('user', 'list');
    assert.match(done(listed), /^root /m);
    assert.equal(listed.stderr, `Server: ${url}, as root (profile mine)\n`);
    for (const command of [
      ['--profile', 'mine', 'client', 'list', '--json'],
      ['session', 'list', '--url', url, '--json'],
      ['audit', 'list', '--url', url, '--json'],
    ]) {
      const { stderr, ...result } = await run(...command);
      assert.deepEqual([result.code, stderr], [0, '']);
    }
    const { accessToken, refreshToken } = JSON.parse(await readFile(file('mine'), 'utf8'));
    assert.equal(done(await run('logout')), 'Logged out: mine.\n');
    const form = { grant_type: 'refresh_token', client_id: cliId, refresh_token: refreshToken };
    assert.equal((await server.post('/oauth2/token', form)).json.error, 'invalid_grant');
    assert.equal((await server.as(accessToken).get('/admin/client')).status, 401);
    await assert.rejects(stat(file('mine')), { code: 'ENOENT' });
    assert.match((await run('session', 'list', '--url', url)).stderr, /Log in with watchword login/);
  });

  it('is not used by a command that names a database', async () => {
    done(await login([server.service.baseUrl, '--profile', 'mine']));
    const database = ['--database', server.database];
    for (const named of [{ args: database }, { args: [], env: { WATCHWORD_DATABASE: server.database } }]) {
      const result = await watchword(['user', 'list', ...named.args], { env: { ...env, ...named.env } });
      assert.doesNotMatch(result.stderr, /profile/);
      done(result);
    }
    const both = await run('user', 'list', '--profile', 'mine', ...database);
    assert.match(both.stderr, /--profile and --database: expected only one/);
    assert.match((await run('user', 'list', '--profile', 'nobody')).stderr, /there is no profile nobody/);
    done(await run('logout', '--all'));
  });

  it('is in a file that the user alone can read, and is refused when others could', async () => {
    done(await login([server.service.baseUrl, '--profile', 'mine']));
    const modes = await Promise.all(
      [file('mine'), directory.file('config/watchword/profiles'), directory.file('config/watchword')].map(
        async (path) => (await stat(path)).mode & 0o777,
      ),
    );
    assert.deepEqual(modes, [0o600, 0o700, 0o700]);
    await chmod(file('mine'), 0o644);
    const { code, stderr } = await run('user', 'list');
    assert.equal(code, 2);
    assert.match(stderr, /expected a file that only you can read \(mode 600\), got mode 644/);
    await chmod(file('mine'), 0o600);
    await writeFile(file('mine'), '{"refreshToken":"wwr_secret"');
    const broken = await run('user', 'list');
    assert.match(broken.stderr, /expected a profile, got another text/);
    assert.doesNotMatch(broken.stderr, /wwr_/);
    const ended = await run('logout');
    assert.equal(ended.code, 1);
    assert.match(ended.stderr, /page "Your account"/);
  });

  it('outlasts the session of the browser, and ends with its grant', async () => {
    const agent = new UserAgent();
    done(await login([server.service.baseUrl, '--profile', 'mine'], (url) => logInAndReturn(url, agent)));
    for (const { id } of JSON.parse(done(await run('session', 'list', '--person', 'root', '--json')))) {
      done(await run('session', 'end', id));
    }
    assert.match(done(await run('user', 'list')), /root/);
    const [grant] = JSON.parse(done(await run('grant', 'list', '--client', cliId, '--json')));
    done(await run('grant', 'end', grant.id, '--yes'));
    const { code, stderr } = await run('user', 'list');
    assert.equal(code, 1);
    assert.match(stderr, /The login of the profile mine has ended: .*watchword login --profile mine/);
    done(await run('logout'));
  });

  it('ends with a new password, and when the account is disabled or deleted', async () => {
    const changes: readonly ((username: string) => string[])[] = [
      (name) => ['user', 'reset-password', name],
      (name) => ['user', 'disable', name],
      (name) => ['user', 'set-admin', name, 'off'],
      (name) => ['user', 'delete', name, '--yes'],
    ];
    // user-command.test.ts has what each change ends.
    for (const [number, change] of variants(1, changes).entries()) {
      const username = `admin-${number}`;
      await server.addAccount(username, true);
      const user = { ...root, username };
      done(
        await login([server.service.baseUrl, '--profile', 'changed'], (url) =>
          logInAndReturn(url, new UserAgent(), user),
        ),
      );
      done(await run('user', 'list'));
      done(await run(...change(username), '--database', server.database));
      const { code, stderr } = await run('user', 'list');
      assert.deepEqual([code, /has ended/.test(stderr)], [1, true], change(username).join(' '));
    }
    done(await run('logout'));
  });

  it('keeps its refresh token when commands renew the access token at the same time', async () => {
    done(await login([server.service.baseUrl, '--profile', 'mine']));
    const stored = JSON.parse(await readFile(file('mine'), 'utf8'));
    const tokens = ['token', 'list', '--client', cliId, '--json', '--database', server.database];
    const count = async () => JSON.parse(done(await run(...tokens))).length;
    const before = await count();
    await writeFile(file('mine'), JSON.stringify({ ...stored, expires: 0 }));
    const results = await Promise.all(Array.from({ length: 6 }, () => run('user', 'list')));
    for (const result of results) done(result);
    const renewed = JSON.parse(await readFile(file('mine'), 'utf8'));
    assert.notEqual(renewed.refreshToken, stored.refreshToken);
    assert.equal(await count(), before + 1);
    await writeFile(file('mine'), JSON.stringify({ ...renewed, expires: 0 }));
    // As a process that was killed leaves it: none has this id, which is above those of Linux.
    await writeFile(`${file('mine')}.lock`, `${2 ** 22 + 1} 1`);
    done(await run('user', 'list'));
    done(await run('logout'));
  });

  it('ignores what other pages and programs send to its port, and goes on', async () => {
    const statuses: number[] = [];
    const { code, stderr } = await login([server.service.baseUrl, '--profile', 'mine'], async (url) => {
      const callback = new URL(url).searchParams.get('redirect_uri') ?? '';
      const state = new URL(url).searchParams.get('state') ?? '';
      const forged = `${callback}?code=forged&iss=${server.service.baseUrl}`;
      const { port } = new URL(callback);
      for (const [address, init] of [
        [forged, {}],
        [`${forged}&state=other`, {}],
        [`${forged}&state=${state}&state=${state}`, {}],
        [`${forged}&state=${state}`, { method: 'POST' }],
        [`http://127.0.0.1:${port}/?code=forged&state=${state}`, {}],
        [`http://localhost:${port}/callback?code=forged&state=${state}`, {}],
      ] as const) {
        statuses.push((await fetch(address, init)).status);
      }
      const page = await logInAndReturn(url);
      statuses.push(page.status);
      assert.match(await page.text(), /You are logged in.*You can close this window/s);
      assert.equal(page.headers.get('cache-control'), 'no-store');
    });
    assert.equal(code, 0, stderr);
    assert.deepEqual(statuses, [400, 400, 400, 405, 404, 404, 200]);
    done(await run('logout'));
  });

  it('is refused with the answer of another issuer, an error, or no consent', async () => {
    const changed = async (url: string, change: (parameters: URLSearchParams) => void) => {
      const { location } = await followFlow(browserOfRoot, url, root);
      const answer = new URL(location);
      change(answer.searchParams);
      const page = await fetch(answer);
      assert.equal(page.status, 400);
      assert.match(await page.text(), /You are not logged in/);
    };
    const cases: readonly [(parameters: URLSearchParams) => void, RegExp][] = [
      [
        (parameters) => parameters.set('iss', 'https://other.example'),
        /expected the issuer .*other\.example/,
      ],
      [(parameters) => parameters.delete('iss'), /expected the issuer .*got none/],
      [(parameters) => parameters.set('code', 'wwc_forged'), /did not issue an access token/],
      [(parameters) => parameters.delete('code'), /has no code/],
    ];
    for (const [change, reason] of cases) {
      const { code, stderr } = await login([server.service.baseUrl], (url) => changed(url, change));
      assert.notEqual(code, 0);
      assert.match(stderr, reason);
    }
    const denied = await login([server.service.baseUrl], async (url) =>
      fetch((await followFlow(new UserAgent(), url, { ...root, decision: 'deny' })).location),
    );
    assert.match(denied.stderr, /not logged in: it was cancelled in the browser/);
    assert.equal(done(await run('profile', 'list')), 'None.\n');
  });

  it('sends nothing to a server that names another issuer, has none, or would get it unencrypted', async () => {
    const other = createServer((request, response) => {
      assert.equal(request.url, '/.well-known/oauth-authorization-server');
      response.end(JSON.stringify({ issuer: 'https://other.example' }));
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await run('login', `http://127.0.0.1:${port}`, '--no-browser');
    other.close();
    assert.equal(code, 2);
    assert.match(stderr, /names itself "https:\/\/other\.example"/);
    const unencrypted = await run('login', 'http://id.example.com', '--no-browser');
    assert.match(unencrypted.stderr, /with https or a loopback host/);
    const nowhere = await run('login', `${server.service.baseUrl}/elsewhere`, '--no-browser');
    assert.match(nowhere.stderr, /which has no metadata/);
    assert.match((await run('login')).stderr, /expected the base URL of a server/);
  });

  it('opens the browser with the address of the login, which has no secret', async () => {
    const opened = directory.file('opened');
    for (const name of ['xdg-open', 'open']) {
      const script = `#!/bin/sh\nprintf '%s' "$1" > '${opened}.new' && mv '${opened}.new' '${opened}'\n`;
      await writeFile(directory.file(name), script, { mode: 0o755 });
    }
    const browser = { PATH: `${directory.path}:${process.env.PATH}` };
    const { code, stderr } = await login(
      [server.service.baseUrl, '--profile', 'mine'],
      async (url) => {
        await until(() => existsSync(opened));
        assert.equal(await readFile(opened, 'utf8'), url);
        const names = [...new URL(url).searchParams.keys()];
        const challenge = ['code_challenge', 'code_challenge_method'];
        assert.deepEqual(names.toSorted(), [
          'client_id',
          ...challenge,
          ...['redirect_uri', 'response_type', 'scope', 'state'],
        ]);
        await logInAndReturn(url);
      },
      browser,
    );
    assert.equal(code, 0, stderr);
    assert.match(stderr, /in the browser\. If it does not open, open this address/);
    done(await run('logout'));
  });

  it('has a token in its place, which the command line issues on the database for a local administrator', async () => {
    const database = ['--database', server.database];
    await server.addAccount('ada', true);
    await server.addAccount('ben');
    const issue = ['token', 'issue', '--for', 'ada', ...database];
    const { token, expires, ...issued } = JSON.parse(done(await run(...issue, '--json')));
    assert.deepEqual(
      [issued.clientId, issued.resourceOwnerId, issued.scopes],
      [cliId, 'ada', ['read', 'write']],
    );
    const ada = server.as(token);
    assert.equal((await ada.get('/admin/client')).status, 200);
    assert.equal((await ada.get('/admin/resourceServer/principal')).json.name, 'ada');
    const { auditEvents } = server.service.store;
    const event = (await auditEvents.list({ limit: 9 })).find(({ recordId }) => recordId === issued.id);
    assert.deepEqual(
      [event?.action, event?.actor.identityProvider, event?.owner?.name],
      ['create', 'cli', 'ada'],
    );
    const words = await run(...issue, '--scope', 'read');
    assert.match(words.stdout, /is valid until \d{4}\S+Z, and can do what ada can\..*\n\ntoken +wwa_\S+\n$/);
    assert.ok(expires - Date.now() <= 3_600_000);
    done(await run('user', 'disable', 'ada', ...database));
    assert.equal((await ada.get('/admin/client')).status, 401);
    for (const [args, reason] of [
      [issue, /ada is disabled/],
      [['token', 'issue', '--for', 'ben', ...database], /ben is no administrator/],
      [['token', 'issue', '--for', 'nobody', ...database], /no account/],
      [[...issue, '--client', 'demo-app'], /either --client or --for/],
      [['token', 'issue', '--for', 'ada', '--url', server.service.baseUrl], /works only on this machine/],
    ] as const) {
      const { code, stdout, stderr } = await run(...args);
      assert.deepEqual([code === 0, stdout], [false, '']);
      assert.match(stderr, reason);
    }
  });

  it('chooses among several logins, and replaces one of the same name', async () => {
    const url = server.service.baseUrl;
    done(await login([url, '--profile', 'first']));
    done(await login([url, '--profile', 'second']));
    assert.match(done(await run('profile', 'list')), /^first .*false\nsecond .*true\n/m);
    done(await run('profile', 'use', 'first'));
    assert.match((await run('user', 'list')).stderr, /profile first/);
    const { refreshToken } = JSON.parse(await readFile(file('first'), 'utf8'));
    done(await login([]));
    const form = { grant_type: 'refresh_token', client_id: cliId, refresh_token: refreshToken };
    assert.equal((await server.post('/oauth2/token', form)).json.error, 'invalid_grant');
    done(await run('user', 'list'));
    assert.equal(done(await run('logout', '--all')), 'Logged out: first, second.\n');
  });
});
