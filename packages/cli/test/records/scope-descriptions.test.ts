import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { watchword } from '@watchword/server-testkit/processes/process';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';

describe('descriptions of scopes at the command line', () => {
  let server: TestServer;
  let local: readonly string[];
  let env: Record<string, string> = {};
  before(async () => {
    server = await startServer();
    local = ['--database', server.database];
    const { clientId, secret } = JSON.parse(
      (
        await watchword([
          ...['client', 'create', '--name', 'Deployer', '--resource-server', 'authorization-server-admin'],
          ...['--scope', 'read', '--scope', 'write', '--allow-client-credentials', '--json', ...local],
        ])
      ).stdout,
    );
    env = { WATCHWORD_ADMIN_CLIENT_ID: clientId, WATCHWORD_ADMIN_CLIENT_SECRET: secret };
    await server.service.store.refreshRegistry();
  });
  after(() => server[Symbol.asyncDispose]());

  const run =
    (side: '--database' | '--url') =>
    (command: string, ...args: string[]) =>
      watchword(
        [
          ...(side === '--url' ? ['--url', server.service.baseUrl] : []),
          ...['resource-server', command, ...args],
          ...(side === '--url' ? [] : local),
        ],
        { env: side === '--url' ? env : {} },
      );

  for (const side of ['--database', '--url'] as const) {
    const key = side === '--url' ? 'far-notes' : 'notes';
    const command = run(side);
    const scopes = async () =>
      JSON.parse((await command('show', key, '--described', '--json')).stdout).scopes as unknown;

    it(`are set with ${side}, changed one by one, and removed by an empty text`, async () => {
      const made = await command(
        ...(['create', '--name', key, '--scope', 'read', '--scope', 'orders:write'] as const),
        ...['--scope-description', 'read=Read your notes', '--scope-description', 'nl read=Notities lezen'],
      );
      assert.equal(made.code, 0, made.stderr);
      const read = { name: 'read', description: 'Read your notes', descriptions: { nl: 'Notities lezen' } };
      assert.deepEqual(await scopes(), [read, { name: 'orders:write' }]);

      const changed = await command(
        ...(['update', key, '--scope-description', 'orders:write=Order = pay'] as const),
        ...['--scope-description', 'DE read=Notizen lesen', '--scope-description', 'nl read='],
      );
      assert.equal(changed.code, 0, changed.stderr);
      const later = [
        { name: 'read', description: 'Read your notes', descriptions: { de: 'Notizen lesen' } },
        { name: 'orders:write', description: 'Order = pay' },
      ];
      assert.deepEqual(await scopes(), later);
      await command('update', key, '--scope', 'orders:write', '--scope', 'read', '--scope', 'more');
      assert.deepEqual(await scopes(), [...later.toReversed(), { name: 'more' }]);
      const shown = JSON.parse((await command('show', key, '--json')).stdout);
      assert.deepEqual(shown.scopes, ['orders:write', 'read', 'more']);
    });

    it(`are rejected with ${side} when they are of another scope, or no language is named`, async () => {
      const stranger = await command('update', key, '--scope-description', 'admin=Everything');
      assert.match(stranger.stderr, /--scope-description: expected one of the scopes .*, got "admin"/);
      assert.equal(stranger.code, 2);
      const nothing = await command('update', key, '--scope-description', 'read');
      assert.match(nothing.stderr, /--scope-description: expected scope=text/);
      assert.equal(nothing.code, 2);
      const noLanguage = await command('update', key, '--scope-description', 'x_y read=X');
      assert.match(noLanguage.stderr, /"read" has a description in "x_y", which is not a language tag/);
      assert.equal(noLanguage.code, 1);
    });
  }
});
