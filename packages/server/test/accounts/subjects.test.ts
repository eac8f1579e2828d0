import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { copyFile } from 'node:fs/promises';
import { after, before, describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { accountUsers } from '@watchword/server-testkit/servers/account-server';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import {
  copyDemo,
  demoResourceServer,
  startServer,
  type TestServer,
} from '@watchword/server-testkit/servers/server';
import { slowTest } from '@watchword/testkit';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent, withdrawalPage } from '@watchword/testkit/user-agent';

const authorizePath = '/authorize?response_type=code&client_id=demo-app';
const app = 'demo-app:demo-app-client-secret';
const password = 'correct horse battery';
const anyPerson = fileURLToPath(new URL('../../../server-testkit/src/people/any-person.ts', import.meta.url));

type Secrets = { readonly app: string; readonly resourceServer: string; readonly password: string };
const secrets: Secrets = { app, resourceServer: demoResourceServer, password };

/** A database in a folder of its own, the command on it, and servers one after the other. */
async function oneDatabase() {
  const directory = await temporaryDirectory();
  const database = directory.file('x.db');
  await copyDemo(database);
  const run = async (args: readonly string[], stdin = ''): Promise<string> => {
    const { code, stdout, stderr } = await watchword([...args, '--database', database], { stdin });
    assert.equal(code, 0, stderr);
    return stdout;
  };
  return {
    file: (name: string) => directory.file(name),
    database,
    run,
    /** Creates the account emma. */
    create: () => run(['user', 'create', 'emma', '--password-stdin'], password),
    start: (file = database, flags = {}) =>
      startServer({ database: file, authenticator: 'password', ...flags }),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

async function tokenOf(
  server: TestServer,
  used = secrets,
  agent = new UserAgent(),
  path = authorizePath,
): Promise<string> {
  const answers = { username: 'emma', password: used.password };
  const { parameters } = await followFlow(agent, `${server.baseUrl}${path}`, answers);
  const form = { grant_type: 'authorization_code', code: parameters.get('code') ?? '' };
  return (await server.post('/oauth2/token', form, used.app)).json.access_token;
}

/** The answers of the server to the client and to the resource server for a token of emma, who logs in. */
async function introspected(server: TestServer, used = secrets, path = authorizePath) {
  const token = await tokenOf(server, used, new UserAgent(), path);
  const [toClient, toResourceServer] = await Promise.all(
    [used.app, used.resourceServer].map((caller) => server.post('/oauth2/introspect', { token }, caller)),
  );
  assert.deepEqual(toClient?.json, toResourceServer?.json);
  const { active, sub, username } = toClient?.json ?? {};
  assert.equal(active, true);
  return { sub, username };
}

interface Visit {
  readonly file?: string;
  readonly used?: Secrets;
  /** Runs on the server before the login. */
  readonly change?: (server: TestServer) => Promise<unknown>;
}

describe('the subject of a user with a local account', () => {
  /** Shows who emma is, in one server after the other. */
  function visits(database: Awaited<ReturnType<typeof oneDatabase>>, test: TestContext) {
    const seen: { sub: string; username: string }[] = [];
    return {
      async see(
        what: string,
        { file = database.database, used = secrets, change }: Visit = {},
      ): Promise<void> {
        await using server = await database.start(file);
        await change?.(server);
        seen.push(await introspected(server, used));
        test.diagnostic(`${what}: ${seen.at(-1)?.sub}`);
      },
      assertSame(count: number) {
        assert.match(seen[0]?.sub ?? '', /^[A-Za-z0-9_-]{43}$/);
        assert.equal(seen.length, count);
        for (const each of seen) assert.deepEqual(each, { sub: seen[0]?.sub, username: 'emma' });
      },
    };
  }

  it('stays the same over restarts, other keys for forms and another display name', async (test) => {
    await using database = await oneDatabase();
    const { see, assertSame } = visits(database, test);
    await see('the first login', {
      change: async (server) => (await accountUsers(server)).addAccount('emma'),
    });
    const now = Date.now();
    await see('a restart, another key for forms, other groups and another display name', {
      async change({ service: { store } }) {
        await store.sealingKeys.rotate({ id: 'newer', key: randomBytes(32), creationDate: now }, now);
        await store.accounts.update('emma', { displayName: 'Emma Married', groups: ['staff'] }, now);
      },
    });
    assertSame(2);
  });

  const copies = onlyOn('sqlite', 'the commands for backups');
  slowTest('stays the same in a copy and after every restore', copies, async (test) => {
    await using database = await oneDatabase();
    const { see, assertSame } = visits(database, test);
    await database.create();
    await see('the first login');
    await database.run(['backup', database.file('backup.db')]);
    await copyFile(database.database, database.file('moved.db'));
    await see('a database that was moved', { file: database.file('moved.db') });
    await database.run(['restore', database.file('backup.db'), '--yes', '--json']);
    await see('a restore');
    await database.run(['restore', database.file('backup.db'), '--yes', '--keep-tokens', '--json']);
    await see('a restore that keeps tokens');
    const report = JSON.parse(
      await database.run(['restore', database.file('backup.db'), '--yes', '--rotate-secrets', '--json']),
    );
    const secretOf = (list: { secret: string }[], name: string) =>
      list.find((each) => Object.values(each).includes(name))?.secret ?? assert.fail(name);
    await see('a restore that rotates secrets', {
      used: {
        app: `demo-app:${secretOf(report.clients, 'demo-app')}`,
        resourceServer: `demo-resource-server:${secretOf(report.resourceServers, 'demo-resource-server')}`,
        password: secretOf(report.accounts, 'emma'),
      },
    });
    const elsewhere = ['--yes', '--database', database.file('elsewhere.db')];
    await watchword(['restore', database.file('backup.db'), ...elsewhere]);
    await see('a restore elsewhere', { file: database.file('elsewhere.db') });
    assertSame(6);
  });

  // account-records.test.ts holds the same over REST.
  slowTest(
    'is a new one after the account was deleted and created again, and the new account inherits nothing',
    async () => {
      await using database = await oneDatabase();
      await database.create();
      await using server = await database.start();
      const agent = new UserAgent();
      const token = await tokenOf(server, secrets, agent);
      const isActive = async () =>
        (await server.post('/oauth2/introspect', { token }, app)).json.active as boolean;
      const first = await introspected(server);
      const pagesOf = async (visitor: UserAgent) => {
        const answers = { username: 'emma', password };
        return (await followFlow(visitor, `${server.baseUrl}${authorizePath}`, answers)).pages.length;
      };
      // Consent is remembered: one page for the login, then the redirect.
      assert.equal(await pagesOf(new UserAgent()), 2);
      assert.ok(await isActive());

      await database.run(['user', 'delete', 'emma', '--yes']);
      assert.ok(!(await isActive()));
      const login = await agent.get(`${server.baseUrl}/account`);
      assert.equal((await agent.submit(login, { username: 'emma', password })).status, 403);
      await database.create();
      assert.match((await agent.get(`${server.baseUrl}/account`)).html, /name="password"/);
      assert.equal(await pagesOf(new UserAgent()), 3);
      const second = await introspected(server);
      assert.deepEqual([second.username, second.sub === first.sub], ['emma', false]);
      assert.ok(!(await isActive()));
    },
  );
});

let server: TestServer;
before(async () => {
  server = await startServer({ authenticator: anyPerson });
});
after(() => server[Symbol.asyncDispose]());

describe('the subject of users with one name', () => {
  it('is different for each identity provider', async () => {
    const subs: string[] = [];
    for (const identityProvider of [undefined, 'https://one.example', 'https://two.example']) {
      const persona = { ...secrets, password: JSON.stringify({ identityProvider }) };
      const { sub, username } = await introspected(server, persona);
      assert.equal(username, 'emma');
      subs.push(sub);
      assert.equal((await introspected(server, persona)).sub, sub);
    }
    assert.equal(new Set(subs).size, 3);
  });

  it('is different for each of two modules', async () => {
    const authenticators = JSON.stringify(['form', anyPerson]);
    await using both = await startServer({ authenticators });
    const subs: string[] = [];
    for (const hint of ['form', 'any-person', 'form']) {
      const path = `${authorizePath}&authenticator_hint=${hint}`;
      subs.push((await introspected(both, { ...secrets, password: '{}' }, path)).sub);
    }
    assert.deepEqual([subs[0] === subs[1], subs[0] === subs[2]], [false, true]);
  });
});

describe('the account page', () => {
  const withId = (stableId: string): Secrets => ({ ...secrets, password: JSON.stringify({ stableId }) });
  const isActive = async (server: TestServer, token: string) =>
    (await server.post('/oauth2/introspect', { token }, app)).json.active as boolean;
  const withdraw = async (server: TestServer, agent: UserAgent) => {
    await agent.submit(await withdrawalPage(agent, server.baseUrl), {});
  };

  it('neither shows nor withdraws the grants of a former holder of the name', async () => {
    const [former, present] = [withId('one'), withId('two')];
    const token = await tokenOf(server, former);
    const agent = new UserAgent();
    const login = await agent.get(`${server.baseUrl}/account`);
    await agent.submit(login, { username: 'emma', password: present.password });
    const shown = await agent.get(`${server.baseUrl}/account`);
    assert.match(shown.text, /Applications with access/);
    assert.doesNotMatch(shown.text, /Demo App/);

    const own = await tokenOf(server, present, agent);
    assert.match((await agent.get(`${server.baseUrl}/account`)).text, /Demo App/);
    await withdraw(server, agent);
    assert.deepEqual([await isActive(server, own), await isActive(server, token)], [false, true]);
  });

  it('shows and withdraws the grants that the user gave under a former name', async () => {
    const token = await tokenOf(server, withId('three'));
    const agent = new UserAgent();
    const login = await agent.get(`${server.baseUrl}/account`);
    await agent.submit(login, { username: 'emma.married', password: withId('three').password });
    await withdraw(server, agent);
    assert.ok(!(await isActive(server, token)));
  });
});
