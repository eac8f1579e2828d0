import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { registerClient } from '@watchword/server-testkit/clients/clients';
import { metadata } from '@watchword/server-testkit/processes/command-runs';
import { curl } from '@watchword/server-testkit/processes/curl';
import {
  logged,
  startProcess,
  temporaryDirectory,
  watchword,
} from '@watchword/server-testkit/processes/process';
import { administrationCallers } from '@watchword/server-testkit/servers/administration';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { copyDemo, startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { slowTest } from '@watchword/testkit';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { company } from '../../src/demo/company.ts';
import { people } from '../../src/demo/people.ts';
import { demoCommands, seedDemo, seedDemoCompany } from '../../src/demo.ts';

/** Signs in at the administration pages with one click. */
async function administratorOf(server: TestServer) {
  const agent = new UserAgent();
  const query = new URLSearchParams({
    response_type: 'token',
    client_id: 'authorization-server-admin-js-client',
    redirect_uri: `${server.service.baseUrl}/client/client.html`,
    scope: 'read write',
  });
  const login = await agent.get(`${server.baseUrl}/authorize?${query}`);
  const { location = '' } = await agent.submit(login, { choice: 'administrator' });
  const token = new URLSearchParams(new URL(location).hash.slice(1)).get('access_token');
  return administrationCallers(server).as(token ?? assert.fail('no token'));
}

describe('serve --demo', () => {
  it('prints two commands to paste, which get a token and show its owner', async () => {
    await using directory = await temporaryDirectory();
    await using server = await startProcess(['--demo', '--port', '0', '--database', directory.file('x.db')]);
    await logged(server.stderr, /^curl .*tokeninfo$/m);
    const [getToken = '', getInfo = ''] = server.stderr().match(/^curl .*$/gm) ?? [];
    const { access_token, scope, expires_in } = await curl(getToken);
    assert.deepEqual([scope, expires_in], ['read', 3600]);
    const info = await curl(getInfo.replace('PASTE_THE_TOKEN', access_token));
    assert.equal(info.audience, 'Demo Service');
    assert.equal(info.principal.name, 'demo-service');
  });

  slowTest('prints what works under the profile mcp', async () => {
    await using directory = await temporaryDirectory();
    const database = ['--database', directory.file('x.db')];
    await using server = await startProcess(['--demo', '--profile', 'mcp', '--port', '0', ...database]);
    await logged(server.stderr, /^curl .*tokeninfo$/m);
    const [getToken = '', getInfo = ''] = server.stderr().match(/^curl .*$/gm) ?? [];
    const { access_token } = await curl(getToken);
    assert.equal((await curl(getInfo.replace('PASTE_THE_TOKEN', access_token))).audience, 'Demo Service');
    const [url = ''] = server.stderr().match(/^http.*client_id=demo-app.*$/m) ?? [];
    const { location } = await followFlow(new UserAgent(), url);
    assert.match(location, /^http:\/\/127\.0\.0\.1:8081\/callback\?code=/);
  });

  it('prints where to look, who can sign in there with one click, and how the demo is removed', () => {
    const text = demoCommands('http://localhost:8080', ['form']);
    for (const said of ['http://localhost:8080/console', 'as Ada', 'as Emma', 'watchword demo remove'])
      assert.ok(text.includes(said), said);
    assert.ok(
      demoCommands('http://localhost', ['form'], 'npx watchword').includes('"npx watchword demo remove"'),
    );
    for (const others of [['noop-admin'], ['form', 'password']])
      assert.doesNotMatch(demoCommands('http://localhost:8080', others), /Ada|Emma/);
  });

  it('fills an empty database with the records of the README, once', async () => {
    await using directory = await temporaryDirectory();
    await copyMigrated(directory.file('x.db'));
    await using server = await startServer({ database: directory.file('x.db') });
    const { store } = server.service;
    assert.deepEqual([await seedDemo(store), await seedDemo(store)], [true, false]);
    const database = ['--database', directory.file('x.db')];
    const [administration, api, ...otherApis] = JSON.parse(
      (await watchword(['resource-server', 'list', '--json', ...database])).stdout,
    );
    const [pages, commandLine, client, app, ...otherClients] = JSON.parse(
      (await watchword(['client', 'list', '--json', ...database])).stdout,
    );
    assert.deepEqual([otherApis, otherClients], [[], []]);
    assert.equal(administration.key, 'authorization-server-admin');
    assert.equal(pages.clientId, 'authorization-server-admin-js-client');
    assert.equal(commandLine.clientId, 'authorization-server-admin-cli');
    assert.deepEqual([api.key, api.scopes], ['demo-resource-server', ['read', 'write']]);
    assert.deepEqual([app.clientId, app.redirectUris], ['demo-app', ['http://127.0.0.1:8081/callback']]);
    const { clientId, clientName, scopes, allowedClientCredentials, expireDuration } = client;
    assert.deepEqual(
      { clientId, clientName, scopes, allowedClientCredentials, expireDuration },
      {
        clientId: 'demo-service',
        clientName: 'Demo Service',
        scopes: ['read'],
        allowedClientCredentials: true,
        expireDuration: 3600,
      },
    );
  });

  slowTest('fills a database once when two servers start on it at the same time', async () => {
    await using directory = await temporaryDirectory();
    await copyMigrated(directory.file('x.db'));
    await using server = await startServer({ database: directory.file('x.db') });
    const { store } = server.service;
    const seeded = await Promise.all([seedDemo(store), seedDemo(store), seedDemo(store)]);
    assert.deepEqual(seeded, [true, false, false]);
    assert.equal((await store.clients.list({ limit: 9 })).length, 4);
  });

  it('adds no company where another record is registered beside the demo', async () => {
    await using server = await startServer();
    const { store } = server.service;
    await registerClient(server, { clientName: 'Mine' });
    assert.equal(await seedDemoCompany(store), false);
    assert.equal((await store.resourceServers.list({ limit: 50 })).length, 2);
  });

  slowTest(
    'names what its administrator has set up and no command removes, before it is removed and after',
    async () => {
      await using directory = await temporaryDirectory();
      const database = ['--database', directory.file('x.db')];
      let kid = '';
      {
        await using server = await startServer({ database: directory.file('x.db') }, undefined, true);
        const ada = await administratorOf(server);
        const settings = { metadata };
        await ada.create('/admin/authenticator', { name: 'uni', kind: 'saml', settings });
        assert.equal((await ada.call('PUT', '/admin/branding', { productName: 'Mine' })).status, 200);
        const rotated = await ada.call('POST', '/admin/signingKey/rotation', {
          algorithm: 'ES256',
          now: true,
        });
        kid = rotated.json.keys[0].kid;
      }
      const stays = new RegExp(
        `stays: identity providers \\(uni\\), branding, signing keys \\(${kid}\\)\\. For real users, begin with a new database`,
      );
      const typed = (stdin: string) => watchword(['demo', 'remove', ...database], { stdin, isTyped: true });
      const refused = await typed('n\n');
      assert.match(refused.stderr, stays);
      assert.match(refused.stderr, /Remove 1 APIs .*Nothing was removed/s);
      const { code, stdout, stderr } = await watchword(['demo', 'remove', '--yes', '--json', ...database]);
      assert.deepEqual([code, stays.test(stderr)], [1, true]);
      const { resourceServers, remaining } = JSON.parse(stdout);
      assert.deepEqual(resourceServers, ['demo-resource-server']);
      assert.deepEqual(remaining, { identityProviders: ['uni'], branding: true, signingKeys: [kid] });
      const again = await typed('');
      assert.deepEqual([again.code, stays.test(again.stderr)], [1, true]);
    },
  );

  slowTest('does not change a database that has records', async () => {
    await using directory = await temporaryDirectory();
    const database = ['--database', directory.file('x.db')];
    await copyMigrated(directory.file('x.db'));
    await watchword(['resource-server', 'create', '--name', 'Mine', ...database]);
    await using server = await startProcess(['--demo', 'small', '--port', '0', ...database]);
    await logged(server.stderr, /not empty/);
    assert.doesNotMatch((await watchword(['client', 'list', ...database])).stdout, /demo/);
  });

  it('rejects demo records of another name', async () => {
    const { code, stderr } = await watchword(['serve', '--demo', 'large']);
    assert.equal(code, 2);
    assert.match(stderr, /expected no value, company or small, got "?large/);
  });

  it('rejects every host and base URL that is not loopback', async () => {
    for (const args of [
      ['--host', '0.0.0.0'],
      ['--host', '::'],
      ['--host', '192.0.2.1'],
      ['--host', 'localhost.example'],
      ['--base-url', 'https://id.example'],
    ]) {
      const { code, stderr } = await watchword(['serve', '--demo', '--port', '0', ...args]);
      assert.equal(code, 2, args.join(' '));
      assert.match(stderr, /only this machine can use the server.*got /);
    }
  });

  it('keeps a server that others can reach from starting with records whose secrets are public', async () => {
    await using directory = await temporaryDirectory();
    const database = ['--database', directory.file('x.db')];
    await copyDemo(directory.file('x.db'));
    const open = ['--base-url', 'https://id.example', '--allow-insecure-authentication'];
    const { code, stderr } = await watchword(['serve', '--port', '0', ...open, ...database]);
    assert.equal(code, 2);
    assert.match(stderr, /demo records, whose secrets are public/);
    await watchword(['resource-server', 'delete', 'demo-resource-server', '--yes', ...database]);
    await using server = await startServer({
      database: directory.file('x.db'),
      baseUrl: 'https://id.example',
      allowInsecureAuthentication: 'true',
    });
    assert.equal(server.service.baseUrl, 'https://id.example');
  });
});

describe('the company of the demo', () => {
  let server: TestServer;
  let added: readonly boolean[];
  before(async () => {
    server = await startServer();
    const { store } = server.service;
    added = await Promise.all([seedDemoCompany(store), seedDemoCompany(store), seedDemoCompany(store)]);
  });
  after(() => server[Symbol.asyncDispose]());

  it('adds three APIs, twelve clients and forty people to the records of the README, once, whatever number of nodes start', async () => {
    assert.deepEqual(
      [company.length, company.flatMap(({ clients }) => clients).length, people.length],
      [3, 12, 40],
    );
    assert.equal(new Set(people.map(({ name }) => name)).size, 40);
    const { store } = server.service;
    assert.deepEqual(added.toSorted(), [false, false, true]);
    assert.equal(await seedDemoCompany(store), false);
    assert.equal((await store.resourceServers.list({ limit: 50 })).length, 1 + 1 + 3);
    const clients = await store.clients.list({ limit: 50 });
    assert.deepEqual(
      new Set(clients.filter(({ trusted }) => !trusted).map(({ clientId }) => clientId)),
      new Set(['tandem-newsletter']),
    );
    const users = new Set<string>();
    for (const { grant } of await store.accessTokens.list({ limit: 1000 }))
      users.add(grant?.owner.principal.name ?? '');
    assert.ok(users.has('emma'));
    const now = store.clock.now();
    const hour = Math.floor(now / 3_600_000);
    const issued = await store.statistics.issued({ from: hour - 30 * 24, until: hour + 1 });
    assert.equal(new Set(issued.map((each) => Math.floor((hour - each.hour) / 24))).size, 30);
    assert.deepEqual(new Set(issued.map(({ grantType }) => grantType)).size, 4);
    assert.ok((await store.requestErrors.list({ since: now - 86_400_000, limit: 100 })).length > 10);
    const ofDays = (events: readonly { readonly time: number }[]) =>
      new Set(events.map(({ time }) => Math.floor((now - time) / 86_400_000))).size;
    const changes = await store.auditEvents.list({ kind: 'changes', limit: 1000 });
    assert.ok(ofDays(changes) > 10);
    const daysAgo = ({ time }: { readonly time: number }) => (now - time) / 86_400_000;
    const hours = changes
      .filter((event) => daysAgo(event) > 1 && daysAgo(event) < 32)
      .map(({ time }) => new Date(time).getUTCHours());
    assert.deepEqual(
      hours.filter((hour) => hour < 7 || hour > 21),
      [],
    );
    assert.ok(new Set(hours).size > 5);
    assert.ok(ofDays(await store.auditEvents.list({ kind: 'logins', limit: 1000 })) > 20);
    assert.equal(await store.purgeLag({ expiredBefore: now - 86_400_000 }), 0);
  });

  it('is undone by one command, which leaves the records of others', async () => {
    const database = ['--database', server.database];
    await watchword(['resource-server', 'create', '--name', 'Mine', ...database]);
    const refused = await watchword(['demo', 'remove', ...database]);
    assert.deepEqual([refused.code, /expected it/.test(refused.stderr)], [2, true]);
    const { code, stdout } = await watchword(['demo', 'remove', '--yes', '--json', ...database]);
    assert.equal(code, 0);
    const removed = JSON.parse(stdout);
    assert.deepEqual([removed.resourceServers.length, removed.clients.length], [4, 14]);
    const left = JSON.parse((await watchword(['resource-server', 'list', '--json', ...database])).stdout);
    assert.deepEqual(
      left.map(({ key }: { key: string }) => key),
      ['authorization-server-admin', 'mine'],
    );
    const again = await watchword(['demo', 'remove', ...database]);
    assert.match(again.stdout, /has no records of the demo/);
  });
});
