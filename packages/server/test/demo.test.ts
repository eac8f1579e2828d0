import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { curl } from '@watchword/server-testkit/curl';
import { copyMigrated } from '@watchword/server-testkit/database-template';
import { logged, startProcess, temporaryDirectory, watchword } from '@watchword/server-testkit/process';
import { copyDemo, startServer } from '@watchword/server-testkit/server';
import { demoCommands, seedDemo } from '../src/demo.ts';

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

  it('names the owner of the records only where users can log in under that name', () => {
    const isNamed = (authenticator: string) =>
      /log in as "demo" to see/.test(demoCommands('http://localhost:8080', [authenticator]));
    assert.deepEqual([isNamed('form'), isNamed('noop-admin')], [true, false]);
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

  it('fills a database once when two servers start on it at the same time', async () => {
    await using directory = await temporaryDirectory();
    await copyMigrated(directory.file('x.db'));
    await using server = await startServer({ database: directory.file('x.db') });
    const { store } = server.service;
    const seeded = await Promise.all([seedDemo(store), seedDemo(store), seedDemo(store)]);
    assert.deepEqual(seeded, [true, false, false]);
    assert.equal((await store.clients.list({ limit: 9 })).length, 4);
  });

  it('does not change a database that has records', async () => {
    await using directory = await temporaryDirectory();
    const database = ['--database', directory.file('x.db')];
    await copyMigrated(directory.file('x.db'));
    await watchword(['resource-server', 'create', '--name', 'Mine', ...database]);
    await using server = await startProcess(['--demo', '--port', '0', ...database]);
    await logged(server.stderr, /not empty/);
    assert.doesNotMatch((await watchword(['client', 'list', ...database])).stdout, /demo/);
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

it('a plain http base URL that is not loopback gets a warning in the log', async () => {
  await using directory = await temporaryDirectory();
  const args = [
    ...['--port', '0', '--base-url', 'http://id.example', '--database', directory.file('x.db')],
    '--allow-insecure-authentication',
  ];
  await using server = await startProcess(args);
  assert.match(server.log(), /the base URL is plain http/);
});
