import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';

describe('the other resource servers of a client at the command line', () => {
  it('are named by their keys, all at once, and none by an empty text', async () => {
    await using directory = await temporaryDirectory();
    await copyMigrated(directory.file('x.db'));
    const run = (...args: string[]) => watchword([...args, '--json', '--database', directory.file('x.db')]);
    const json = async (...args: string[]) => {
      const { code, stdout, stderr } = await run(...args);
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout);
    };
    await json('resource-server', 'create', '--name', 'Home');
    const scopes = ['--scope', 'read', '--scope', 'pay'];
    await json(
      'resource-server',
      'create',
      '--name',
      'Orders',
      ...scopes,
      '--resource',
      'https://orders.example',
    );
    const { id, resources, openToClients } = await json('resource-server', 'show', 'orders');
    assert.deepEqual([resources, openToClients], [['https://orders.example'], 'owner']);
    const flag = '--other-resource-server';
    await json('client', 'create', '--name', 'App', '--resource-server', 'home', flag, 'orders=read pay');
    const shown = async () => (await json('client', 'show', 'app')).otherResourceServers;
    assert.deepEqual(await shown(), [{ resourceServerId: id, scopes: ['read', 'pay'] }]);
    await json('client', 'update', 'app', flag, 'orders=read');
    assert.deepEqual(await shown(), [{ resourceServerId: id, scopes: ['read'] }]);
    for (const [value, code, reason] of [
      ['nowhere=read', 1, /no resource server with this key/],
      ['orders', 2, /expected key=scopes, got "orders"/],
      ['orders=nothing', 1, /nothing/],
      ['home=read', 1, /is the resource server of the client/],
    ] as const) {
      const refused = await run('client', 'update', 'app', flag, value);
      assert.equal(refused.code, code, refused.stderr);
      assert.match(refused.stderr, reason);
    }
    const others = async () => json('resource-server', 'other-clients', 'orders');
    assert.deepEqual(
      (await others()).map((client: Record<string, unknown>) => [client.clientId, client.scopes]),
      [['app', ['read']]],
    );
    const all = ['--client', 'app', '--resource-server', 'orders', '--since', '2020-01-01T00:00Z', '--yes'];
    assert.equal((await json('token', 'revoke', ...all)).accessTokens, 0);
    await json('resource-server', 'remove-other-client', 'orders', 'app', '--yes');
    assert.deepEqual([await shown(), await others()], [[], []]);
    const again = await run('resource-server', 'remove-other-client', 'orders', 'app', '--yes');
    assert.match(again.stderr, /"watchword resource-server other-clients orders" shows all/);
    await json('client', 'update', 'app', flag, 'orders=read');
    await json('client', 'update', 'app', flag, '');
    assert.deepEqual(await shown(), []);
  });
});
