import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';

describe('public clients at the command line', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let database: readonly string[];
  before(async () => {
    directory = await temporaryDirectory();
    database = ['--database', directory.file('x.db')];
    await copyMigrated(directory.file('x.db'));
    await watchword(['resource-server', 'create', '--name', 'Shop API', '--scope', 'read', ...database]);
  });
  after(() => directory[Symbol.asyncDispose]());

  const client = (...args: string[]) => watchword(['client', ...args, ...database]);
  const create = (...args: string[]) => client('create', '--resource-server', 'shop-api', ...args);
  const shown = async (clientId: string) =>
    JSON.parse((await client('show', clientId, '--json')).stdout) as Record<string, unknown>;

  it('are created by --public, without the implicit grant and without a secret', async () => {
    for (const [name, flags] of [
      ['shop', ['--public']],
      ['store', ['--confidential', 'false']],
    ] as const) {
      const made = await create('--name', name, '--redirect-uri', 'https://shop.example/cb', ...flags);
      assert.equal(made.code, 0, made.stderr);
      assert.match(made.stdout, /A public client has no secret/);
      const { confidential, allowedImplicitGrant, secret } = await shown(name);
      assert.deepEqual([confidential, allowedImplicitGrant, secret], [false, false, undefined]);
    }
  });

  it('are public by the implicit grant alone, as before', async () => {
    const uri = ['--redirect-uri', 'https://shop.example/cb'];
    const made = await create('--name', 'Old', ...uri, '--allow-implicit-grant');
    assert.equal(made.code, 0, made.stderr);
    assert.equal((await shown('old')).confidential, false);
    const refused = await create('--name', 'X', ...uri, '--allow-implicit-grant', '--confidential', 'true');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /confidential: must be false beside allowedImplicitGrant/);
  });

  it('are not confidential at the same time', async () => {
    const refused = await create('--name', 'Both', '--public', '--confidential', 'true');
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /--public: expected no --confidential true beside it/);
  });

  it('authenticate by none alone, and a confidential client by any other method', async () => {
    const method = (name: string) => ['--token-endpoint-auth-method', name];
    for (const [wrong, reason] of [
      [
        ['--public', ...method('client_secret_basic')],
        /needs a confidential client; it must be none or empty/,
      ],
      [method('none'), /is for public clients: set confidential to false, or name another method/],
    ] as const) {
      const refused = await create('--name', 'Method', ...wrong);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, reason);
    }
    await create('--name', 'Method', ...method('client_secret_post'));
    assert.equal((await shown('method')).tokenEndpointAuthMethod, 'client_secret_post');
    const kept = await client('update', 'method', '--description', 'x');
    assert.equal(kept.code, 0, kept.stderr);
    assert.equal((await shown('method')).tokenEndpointAuthMethod, 'client_secret_post');
    const lowered = await client('update', 'method', ...method('none'));
    assert.match(lowered.stderr, /tokenEndpointAuthMethod: is none/);
    assert.equal((await client('update', 'method', '--public', ...method('none'))).code, 0);
  });

  it('become confidential with advice to rotate the secret, and public again by --public', async () => {
    await create('--name', 'Turning', '--redirect-uri', 'https://shop.example/cb', '--public');
    const turned = await client('update', 'turning', '--confidential', 'true');
    assert.match(turned.stdout, /cannot authenticate. Give it one: watchword client rotate-secret turning/);
    assert.equal((await shown('turning')).lacksSecret, true);
    const rotated = await client('rotate-secret', 'turning', '--json');
    assert.match(JSON.parse(rotated.stdout).secret, /^wws_/);
    assert.equal((await shown('turning')).lacksSecret, undefined);
    await client('update', 'turning', '--public');
    assert.equal((await shown('turning')).confidential, false);
  });

  it('get access tokens for an hour, as every client that names no lifetime', async () => {
    await create('--name', 'Hourly', '--allow-client-credentials');
    assert.equal((await shown('hourly')).expireDuration, 3600);
    await create('--name', 'Eternal', '--allow-client-credentials', '--expire-duration', '0');
    assert.equal((await shown('eternal')).expireDuration, 0);
  });
});
