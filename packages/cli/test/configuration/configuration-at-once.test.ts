import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import {
  bin,
  cleanEnvironment,
  temporaryDirectory,
  until,
  watchword,
  watchwordProcess,
} from '@watchword/server-testkit/processes/process';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { databaseFor, engine, withDatabases } from '@watchword/server-testkit/servers/engine';
import { rounds, slowTest } from '@watchword/testkit';
import { connect } from '@watchword/testkit/postgresql';

const secret = 'a secret that nobody guesses';
const count = rounds(60, 200);
const env = { SECRET: secret };

function configuration(description: string, clients = count): string {
  const shared = { resourceServer: 'api', contactName: 'Ann', secret: 'env:SECRET', description };
  return JSON.stringify({
    version: 1,
    name: 'many',
    resourceServers: [{ key: 'api', name: 'API', contactName: 'Ann', secret: 'env:SECRET' }],
    clients: Array.from({ length: clients }, (_, index) => ({
      clientId: `client-${index}`,
      clientName: `Client ${index}`,
      ...shared,
    })),
  });
}

/** A migrated database, and files with configurations. */
async function prepared(contents: Readonly<Record<string, string>>) {
  const directory = await temporaryDirectory();
  await copyMigrated(directory.file('x.db'));
  for (const [name, content] of Object.entries(contents)) writeFileSync(directory.file(name), content);
  const database = ['--database', directory.file('x.db')];
  const run = (command: string, name: string, ...args: string[]) =>
    watchword([command, directory.file(name), '--json', ...args, ...database], { env });
  const descriptions = async () => {
    const { stdout } = await watchword(['client', 'list', '--limit', '1000', '--json', ...database]);
    const found: readonly { readonly description: string; readonly managedBy: string }[] = JSON.parse(stdout);
    return found.filter(({ managedBy }) => managedBy === 'many').map(({ description }) => description);
  };
  return { directory, database, run, descriptions };
}

/** Tells whether a change of the configuration is open, by its lock. */
async function openChanges(database: string) {
  if (engine === 'sqlite') {
    const file = new DatabaseSync(database);
    file.exec('pragma busy_timeout = 0');
    const isOne = async () => isRefused(async () => file.exec('begin immediate; rollback'));
    return { isOne, [Symbol.asyncDispose]: async () => file.close() };
  }
  const connection = await connect(await databaseFor(database));
  const isOne = () => isRefused(() => connection.query('select from registry_revision for update nowait'));
  return { isOne, [Symbol.asyncDispose]: () => connection.end() };
}

async function isRefused(attempt: () => Promise<unknown>): Promise<boolean> {
  try {
    await attempt();
    return false;
  } catch {
    return true;
  }
}

describe('an application of a configuration', () => {
  slowTest(
    'of another process waits or is refused, and loses nothing: in the end all records are of one of the files',
    async () => {
      const { directory, database, run, descriptions } = await prepared({
        one: configuration('One.'),
        two: configuration('Two.'),
      });
      await using _ = directory;
      const results = await Promise.all(
        ['one', 'two', 'one', 'two'].map((name) =>
          watchwordProcess(['apply', directory.file(name), '--json', ...database], { env }),
        ),
      );
      // SQLite refuses one that has waited for seconds.
      const changed = results.map(({ code, stdout, stderr }) => {
        if (code !== 0) assert.match(stderr, /Nothing was changed\. Try again/);
        return code === 0 ? JSON.parse(stdout).changes.length : 0;
      });
      assert.ok(changed.includes(count + 1), `expected one that creates all, got ${changed}`);
      const found = await descriptions();
      assert.deepEqual([found.length, new Set(found).size], [count, 1]);
      const winner = found[0] === 'One.' ? 'one' : 'two';
      assert.equal((await run('plan', winner)).code, 0);
    },
  );

  it('that is killed has done nothing, and the next one does all', async () => {
    const { directory, database, run, descriptions } = await prepared({ all: configuration('All.') });
    await using _ = directory;
    await using changes = await openChanges(directory.file('x.db'));
    for (let round = 0; round < rounds(1, 20); round += 1) {
      const line = await withDatabases({ args: ['apply', directory.file('all'), ...database], env });
      const child = spawn(process.execPath, [bin, ...line.args], {
        env: cleanEnvironment(line.env),
        stdio: 'ignore',
      });
      const exited = once(child, 'exit');
      let seen = 0;
      // Later in the transaction in each round.
      await until(async () => {
        if (await changes.isOne()) seen += 1;
        return child.exitCode !== null || seen > 2 + round * 5;
      }, 1);
      child.kill('SIGKILL');
      await exited;
      const found = (await descriptions()).length;
      assert.ok(found === 0 || found === count, `expected no client or ${count}, got ${found}`);
      if (found === count) break;
    }
    assert.equal((await run('apply', 'all')).code, 0);
    assert.equal((await descriptions()).length, count);
    assert.equal((await run('plan', 'all')).code, 0);
  });
});
