import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { copyDemo } from '@watchword/server-testkit/servers/server';

/** A database with the account emma, and the command. */
async function deps() {
  const directory = await temporaryDirectory();
  const database = directory.file('x.db');
  await copyDemo(database);
  const run = (args: readonly string[], stdin = '') =>
    watchword([...args, '--database', database], { stdin });
  assert.equal((await run(['import', '--accounts', '-'], '{"username": "emma"}')).code, 0);
  return {
    run,
    // biome-ignore lint/suspicious/noExplicitAny: tests read any field of the output
    async json(...args: readonly string[]): Promise<any> {
      const { code, stdout, stderr } = await run([...args, '--json']);
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout);
    },
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

describe('the command user delete', () => {
  it('deletes the account, shows what ended, and makes the username free', async () => {
    await using w = await deps();
    const [{ id }] = await w.json('user', 'list');
    const { code, stdout } = await w.run(['user', 'delete', 'emma', '--yes']);
    assert.equal(code, 0);
    assert.equal(stdout, 'Deleted emma. There was no login session to end and no grant to revoke.\n');
    assert.deepEqual(await w.json('user', 'list'), []);
    await w.run(['user', 'create', 'emma', '--password-stdin'], 'correct horse battery');
    const [again] = await w.json('user', 'list');
    assert.deepEqual([again.username, again.id === id], ['emma', false]);
    assert.deepEqual(await w.json('user', 'delete', 'emma', '--yes'), {
      deleted: 'emma',
      sessions: 0,
      grants: 0,
    });
  });

  it('rejects the deletion while the account owns resource servers, and names them', async () => {
    await using w = await deps();
    const hand = (owner: string, identityProvider: string) => [
      ...['resource-server', 'update', 'demo-resource-server', '--owner', owner],
      ...['--owner-identity-provider', identityProvider],
    ];
    await w.json(...hand('emma', 'password'));
    const refused = await w.run(['user', 'delete', 'emma', '--yes']);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /owns the resource servers demo-resource-server\. Give them another owner/);
    assert.equal((await w.json('user', 'list')).length, 1);
    await w.json(...hand('finn', 'password'));
    assert.equal((await w.run(['user', 'delete', 'emma', '--yes'])).code, 0);
  });

  it('reports that there is no such account', async () => {
    await using w = await deps();
    const { code, stderr } = await w.run(['user', 'delete', 'Emma', '--yes']);
    assert.equal(code, 1);
    assert.match(stderr, /no account with the username Emma; "watchword user list"/);
  });

  it('has its own help', async () => {
    const { code, stdout } = await watchword(['user', 'delete', '--help']);
    assert.equal(code, 0);
    assert.match(stdout, /^Usage: watchword user delete /m);
    assert.match(stdout, /has another subject[\s\S]*as in a script, it needs --yes/);
  });
});
