import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { logged, temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import {
  type AdministrationServer,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { startServer } from '@watchword/server-testkit/servers/server';
import { seedDemo } from '../../src/demo.ts';

const key = 'authorization-server-admin';
const clientId = 'authorization-server-admin-js-client';
const commandLineId = 'authorization-server-admin-cli';

function commands(database: readonly string[]) {
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await watchword([...args, '--json', ...database]);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };
  return {
    bootstrap: (...args: string[]) => json('bootstrap', ...args),
    client: () => json('client', 'show', clientId),
  };
}

describe('the records of the administration interface', () => {
  let server: AdministrationServer;
  before(async () => {
    server = await startAdministration();
  });
  after(() => server[Symbol.asyncDispose]());

  it('exist after the first start, as the contract names them', async () => {
    const root = await server.administrator();
    const [api] = (await root.get(`/admin/resourceServer?q=${key}`)).json;
    assert.deepEqual([api.key, api.scopes, api.ownerAuthority], [key, ['read', 'write'], 'system']);
    const clients = (await root.get(`/admin/resourceServer/${api.id}/client`)).json;
    const client = clients.find((each: { clientId: string }) => each.clientId === clientId);
    const { redirectUris, allowedImplicitGrant, allowedClientCredentials, useRefreshTokens, scopes } = client;
    assert.equal(client.clientId, clientId);
    assert.deepEqual(
      { redirectUris, allowedImplicitGrant, allowedClientCredentials, useRefreshTokens, scopes },
      {
        redirectUris: [`${server.service.baseUrl}/client/client.html`],
        allowedImplicitGrant: true,
        allowedClientCredentials: false,
        useRefreshTokens: false,
        scopes: ['read', 'write'],
      },
    );
    assert.notEqual(new URL(redirectUris[0]).port, '0');
  });

  it('are made by the command too, once, and follow the base URL of the server when it changes', async () => {
    await using directory = await temporaryDirectory();
    const database = ['--database', directory.file('x.db')];
    await copyMigrated(directory.file('x.db'));
    const { bootstrap, client } = commands(database);
    const local = ['http://localhost:8080'];
    assert.deepEqual(await bootstrap(), { created: [key, clientId, commandLineId], baseUrls: local });
    const first = await client();
    assert.deepEqual(first.redirectUris, ['http://localhost:8080/client/client.html']);
    assert.deepEqual(await bootstrap(), { created: [], baseUrls: local });
    assert.deepEqual(await client(), first);
    await using server = await startServer({ database: directory.file('x.db') });
    assert.deepEqual((await client()).redirectUris, [`${server.service.baseUrl}/client/client.html`]);
  });

  it('keep the redirect URI of the pages of a running server, with any base URL given to the command', async () => {
    const database = ['--database', server.database];
    const { bootstrap } = commands(database);
    const redirectUrisNow = async () => (await server.service.store.clients.find(clientId))?.redirectUris;
    const own = server.service.baseUrl;
    assert.deepEqual(await bootstrap(), { created: [], baseUrls: [own] });
    const words = await watchword(['bootstrap', ...database]);
    assert.match(words.stdout, new RegExp(`are at ${own}\\. To allow one more, name it with --base-url\\.`));
    const second = 'https://id.example.com/auth';
    const both = { created: [], baseUrls: [own, second] };
    assert.deepEqual(await bootstrap('--base-url', second), both);
    assert.deepEqual(await bootstrap('--base-url', second), both);
    const redirectUris = [`${own}/client/client.html`, `${second}/client/client.html`];
    assert.deepEqual(await redirectUrisNow(), redirectUris);
    for (const [args, code, reason] of [
      [['--base-url', 'http://id.example.com'], 1, /cannot get a token: .* use https/],
      [['--base-url', own, '--remove'], 1, /the server's own base URL/],
      [['--base-url', 'https://third.example', '--remove'], 1, /are not at https:\/\/third\.example/],
      [['--remove'], 2, /--remove: expected --base-url/],
    ] as const) {
      const failed = await watchword(['bootstrap', ...args, ...database]);
      assert.equal(failed.code, code, failed.stderr);
      assert.match(failed.stderr, reason);
    }
    assert.deepEqual(await redirectUrisNow(), redirectUris);
    assert.deepEqual(await bootstrap('--base-url', second, '--remove'), { created: [], baseUrls: [own] });
  });

  it('are added to a database that has records, and demo records beside them', async () => {
    await using directory = await temporaryDirectory();
    await copyMigrated(directory.file('x.db'));
    const database = ['--database', directory.file('x.db')];
    await watchword(['bootstrap', ...database]);
    await using server = await startServer({ database: directory.file('x.db') });
    assert.ok(await seedDemo(server.service.store));
    const keys = JSON.parse((await watchword(['resource-server', 'list', '--json', ...database])).stdout);
    assert.deepEqual(
      keys.map((record: { key: string }) => record.key),
      [key, 'demo-resource-server'],
    );
  });

  it('cannot be deleted by the command line either, with the reason', async () => {
    const database = ['--database', server.database];
    for (const args of [
      ['resource-server', 'delete', key, '--yes'],
      ['client', 'delete', clientId, '--yes'],
      ['client', 'delete', commandLineId, '--yes'],
    ]) {
      const { code, stderr } = await watchword([...args, ...database]);
      assert.equal(code, 1);
      assert.match(stderr, /administration interface itself depends on/);
    }
  });

  it('get no token where browsers send it unencrypted, and the log has a warning', async () => {
    await using directory = await temporaryDirectory();
    const database = directory.file('x.db');
    await copyMigrated(database);
    const baseUrl = 'http://id.example';
    await using server = await startServer({ database, baseUrl, allowInsecureAuthentication: 'true' });
    await logged(server.log, /administration pages need an https base URL/);
  });

  // The last one: it changes the records of all.
  it('keep a server from starting while a record of another owner has one of their names', async () => {
    const { store } = server.service;
    const system = await store.resourceServers.find(key);
    await store.resourceServers.update(system?.id ?? 0, { ownerAuthority: '', owner: 'operator' });
    await assert.rejects(
      server.service.start(),
      /authorization-server-admin, a name that the administration interface needs/,
    );
  });
});
