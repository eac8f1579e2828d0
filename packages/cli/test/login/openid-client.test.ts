import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';

describe('clients that log users in, at the command line', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let database: readonly string[];
  before(async () => {
    directory = await temporaryDirectory();
    database = ['--database', directory.file('x.db')];
    await copyMigrated(directory.file('x.db'));
    await watchword(['resource-server', 'create', '--name', 'Logins', ...database]);
  });
  after(() => directory[Symbol.asyncDispose]());

  const client = (...args: string[]) => watchword(['client', ...args, ...database]);
  const create = (name: string, ...args: string[]) =>
    client('create', '--resource-server', 'logins', '--name', name, ...args);
  const login = ['--redirect-uri', 'https://a.example/cb', '--openid-scope', 'groups'];
  const advice = /reads the ID token alone.*watchword client update \S+ --claims-in-id-token true/;

  it('are told at their registration how an application that reads the ID token alone gets the claims', async () => {
    const wiki = await create('Wiki', ...login);
    assert.equal(wiki.code, 0, wiki.stderr);
    assert.match(wiki.stdout, /^claimsInIdToken +false$/m);
    assert.match(wiki.stdout, advice);
    const vault = await create('Vault', ...login, '--claims-in-id-token');
    assert.match(vault.stdout, /^claimsInIdToken +true$/m);
    assert.doesNotMatch(vault.stdout, advice);
    const job = await create('Job', '--allow-client-credentials');
    assert.doesNotMatch(job.stdout, advice);
  });

  it('have their claims in ID tokens until that is switched off', async () => {
    await create('Argo', ...login);
    for (const value of ['true', 'false']) {
      const { stdout } = await client('update', 'argo', '--claims-in-id-token', value);
      assert.match(stdout, new RegExp(`^claimsInIdToken +${value}$`, 'm'));
    }
  });
});
