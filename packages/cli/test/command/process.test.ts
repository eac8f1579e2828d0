import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  atTerminal,
  bin,
  cleanEnvironment,
  temporaryDirectory,
  watchword,
  watchwordProcess,
} from '@watchword/server-testkit/processes/process';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import { slowTest } from '@watchword/testkit';

// Other tests run the commands within their own process. This file tests the properties of a process.
describe('the command as a process', () => {
  it('takes settings from its environment and a password from its standard input, and exits 0 with the answer on standard output', async () => {
    await using directory = await temporaryDirectory();
    await copyMigrated(directory.file('x.db'));
    const env = { WATCHWORD_DATABASE: directory.file('x.db') };
    const create = ['user', 'create', 'emma', '--password-stdin'];
    const { code, stdout, stderr } = await watchwordProcess(create, {
      env,
      stdin: 'correct horse battery\n',
    });
    assert.match(stdout, /^username +emma$/m);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  });

  it(
    'makes databases that no other user of the system can read, and succeeds when the reader of its output stops reading early',
    onlyOn('sqlite', 'a file'),
    async () => {
      await using directory = await temporaryDirectory();
      const database = directory.file('x.db');
      const args = [bin, 'migrate', '--database', database];
      const child = spawn(process.execPath, args, {
        env: cleanEnvironment(),
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      child.stdout.destroy();
      await once(child, 'close');
      assert.equal(child.exitCode, 0);
      assert.equal((await stat(database)).mode & 0o077, 0);
    },
  );

  // The first test has the streams of a process, the tests of commands within one process the reason and the code.
  slowTest('exits 1 on failure, with the reason on standard error', async () => {
    await using directory = await temporaryDirectory();
    const args = ['client', 'list', '--database', directory.file('none.db')];
    const { code, stdout, stderr } = await watchwordProcess(args);
    assert.match(stderr, /^watchword: (?:There is no database at|The database .* lacks the migrations) /);
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
  });

  slowTest('exits 2 on wrong usage, with advice on standard error', async () => {
    const { code, stdout, stderr } = await watchwordProcess(['client', 'list', '--limit', '0']);
    assert.match(stderr, /--limit: expected a whole number from 1/);
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
  });

  slowTest(
    'says in words that its working directory was removed, and what to do',
    onlyOn('sqlite', 'a thread opens the file'),
    async () => {
      await using directory = await temporaryDirectory();
      await copyMigrated(directory.file('x.db'));
      const removed = directory.file('removed');
      const script = 'mkdir "$0" && cd "$0" && rmdir "$0" && exec "$@"';
      const command = [bin, 'client', 'list', '--database', directory.file('x.db')];
      const child = spawn('sh', ['-c', script, removed, process.execPath, ...command], {
        env: cleanEnvironment(),
      });
      const [code, stderr] = await Promise.all([
        once(child, 'close').then(([code]) => code),
        text(child.stderr),
      ]);
      const words =
        'watchword: the working directory was removed. Change to one that exists, such as "cd /", and run the command again.\n';
      assert.deepEqual([code, stderr], [1, words]);
    },
  );

  const hasTerminals = process.platform === 'linux' && existsSync('/usr/bin/script');
  // commands.test.ts has the question, hidden-input.test.ts a terminal.
  slowTest(
    'asks at a terminal before it deletes, and deletes after a confirmation',
    { skip: !hasTerminals },
    async () => {
      await using directory = await temporaryDirectory();
      await copyMigrated(directory.file('x.db'));
      const database = ['--database', directory.file('x.db')];
      await watchword(['resource-server', 'create', '--name', 'My API', ...database]);
      const deletion = ['resource-server', 'delete', 'my-api', ...database];
      const lost = 'my-api with 0 clients and 0 active tokens';
      const refused = await atTerminal(deletion, 'n\n');
      assert.equal(refused.code, 1);
      assert.ok(refused.stdout.includes(`Delete ${lost}? [y/N] `), refused.stdout);
      assert.match(refused.stdout, /Nothing was deleted/);
      const agreed = await watchword(deletion, { stdin: 'y\n', isTyped: true });
      assert.equal(agreed.code, 0, agreed.stderr);
      assert.ok(agreed.stdout.includes(`Deleted ${lost}`));
    },
  );
});

it('commands use their process only through Io, so that one process can run many commands', () => {
  const folder = fileURLToPath(new URL('../../src/', import.meta.url));
  const files = globSync(`${folder}**/*.ts`).filter((file) => basename(file) !== 'io.ts');
  assert.ok(files.length > 10);
  const direct = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bprocess\.(?:std\w+|env|exit\w*|umask)\b/g)].map(
      ([found]) => `${basename(file)}: ${found}`,
    ),
  );
  assert.deepEqual(direct, []);
});
