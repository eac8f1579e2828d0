import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { watchword } from '@watchword/server-testkit/processes/process';
import { type AccountServer, startAccountServer } from '@watchword/server-testkit/servers/account-server';
import { addClient, addResourceServer, slowTest, tokenFactory } from '@watchword/testkit';

/** More than a list shows without a limit. */
const many = 103;

describe('a list at the command line', () => {
  let server: AccountServer;
  let token: string;
  before(async () => {
    server = await startAccountServer();
    const { store } = server.service;
    await server.addManyAccounts(many);
    await store.transact(async (stores) => {
      const api = await addResourceServer(stores, 'many-api');
      for (let index = 0; index < many; index += 1) {
        await addClient(stores, `many-${index}`, api);
        await addResourceServer(stores, `many-${index}`);
      }
    });
    const client = await store.clients.find('many-0');
    const clientRecordId = client?.id ?? 0;
    const build = tokenFactory();
    for (let index = 0; index < 3; index += 1) {
      await store.accessTokens.insert(build({ clientRecordId, creationDate: store.clock.now() }));
    }
    token = (await server.logIn('root')).token;
  });
  after(() => server[Symbol.asyncDispose]());

  const places: Record<string, (args: readonly string[]) => ReturnType<typeof watchword>> = {
    'a database': (args) => watchword([...args, '--database', server.database]),
    'a server': (args) =>
      watchword([...args, '--url', server.service.baseUrl], { env: { WATCHWORD_ADMIN_TOKEN: token } }),
  };

  // Both have the same client of the same routes (administration.ts); remote.test.ts lists over the network.
  for (const [place, run] of Object.entries(places)) {
    const test = place === 'a server' ? slowTest : it;
    test(`of ${place} says how many of how many records it has, on standard error`, async () => {
      for (const group of ['client', 'resource-server', 'user']) {
        const { code, stdout, stderr } = await run([group, 'list']);
        assert.equal(code, 0, stderr);
        assert.equal(stdout.trim().split('\n').length, 101, group);
        const [, total = ''] =
          /^100 of (\d+) records are listed\. --limit \1 lists all\.\n$/.exec(stderr) ?? [];
        assert.ok(Number(total) >= many, `${group}: ${stderr}`);
        const all = await run([group, 'list', '--limit', total]);
        assert.deepEqual([all.stdout.trim().split('\n').length, all.stderr], [Number(total) + 1, ''], group);
      }
      const ofOne = await run(['client', 'list', '--resource-server', 'many-api']);
      assert.match(ofOne.stderr, /^100 of 103 records/);
      const cut = await run(['token', 'list', '--client', 'many-0', '--limit', '2']);
      assert.equal(cut.stdout.trim().split('\n').length, 3);
      assert.match(cut.stderr, /^2 (?:of 3 records are listed|records are listed, and there are more)\./);
      const whole = await run(['token', 'list', '--client', 'many-0', '--limit', '3']);
      assert.equal(whole.stderr, '');
    });

    test(`of ${place} has all records in JSON, or says that it has not`, async () => {
      for (const group of ['client', 'resource-server', 'user']) {
        const all = await run([group, 'list', '--json']);
        assert.ok(JSON.parse(all.stdout).length >= many, group);
        assert.equal(all.stderr, '');
        const cut = await run([group, 'list', '--json', '--limit', '2']);
        assert.equal(JSON.parse(cut.stdout).length, 2);
        assert.match(cut.stderr, /^2 of \d+ records are listed\./);
      }
    });
  }
});
