import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { curl } from '@watchword/server-testkit/processes/curl';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { startServer } from '@watchword/server-testkit/servers/server';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { blocks, lines, section, words } from './support/markdown.ts';

const guide = readFileSync(new URL('../docs/guides/operations.md', import.meta.url), 'utf8');
const quickStart = readFileSync(new URL('../docs/quick-start.md', import.meta.url), 'utf8');

type Directory = Awaited<ReturnType<typeof temporaryDirectory>>;

/** Runs a command of the guide as if in the directory, with the database in its variable. */
async function run(line: string, directory: Directory, ...flags: readonly string[]): Promise<string> {
  const [, command = ''] = /^npx watchword (.*)$/.exec(line) ?? [];
  const [, database = ''] = /^export WATCHWORD_DATABASE=(.*)$/m.exec(guide) ?? [];
  const absolute = (word: string) => (word.startsWith('./') ? directory.file(word) : word);
  const env = { WATCHWORD_DATABASE: absolute(database) };
  const { code, stdout, stderr } = await watchword([...words(command).map(absolute), ...flags], {
    env,
    stdin: 'correct horse battery\n',
  });
  assert.equal(code, 0, `${line}: ${stderr}`);
  return stdout;
}

function registrations(): string[] {
  return lines(blocks('sh', quickStart).find((block) => block.startsWith('npx watchword')) ?? '');
}

describe('the guide to operations', () => {
  it('has an exercise that restores a backup beside the running server, issues a token, and lets users in with their new passwords alone', async () => {
    const [shell = '', requests = ''] = blocks('sh', section('Drill', guide));
    const [backup = '', restore = '', check = '', serve = '', ...others] = lines(shell);
    const [ready = '', token = ''] = lines(requests);
    assert.deepEqual(others, []);
    await using directory = await temporaryDirectory();
    await using original = await startServer({ database: directory.file('watchword.db') });
    for (const line of registrations()) await run(line, directory);
    await run('npx watchword user create emma --admin --password-stdin', directory);
    await run(backup, directory);
    const { clients, accounts } = JSON.parse(await run(restore, directory, '--json'));
    assert.match(await run(check, directory), /is not damaged/);
    const [, drilled = '', base = '', authenticator = ''] =
      /--database (\S+) .*--base-url (\S+) --authenticator (\S+)/.exec(serve) ?? [];
    await using restored = await startServer({ database: directory.file(drilled), authenticator });
    const here = (line: string) => line.replace(base, restored.baseUrl);
    assert.deepEqual(await curl(here(ready)), await curl(ready.replace(base, original.baseUrl)));
    const { secret } = clients.find(({ clientId }: { clientId: string }) => clientId === 'night-job');
    assert.match((await curl(here(token).replace('ITS_NEW_SECRET', secret))).access_token, /^wwa_/);
    const logIn = (password: string) =>
      followFlow(new UserAgent(), `${restored.baseUrl}/authorize?response_type=code&client_id=demo-app`, {
        username: 'emma',
        password,
      });
    await assert.rejects(logIn('correct horse battery'));
    assert.ok((await logIn(accounts[0].secret)).parameters.has('code'));
    const withOldServer = token.replace(base, original.baseUrl).replace('ITS_NEW_SECRET', secret);
    assert.equal((await curl(withOldServer)).error, 'invalid_client');
  });

  it('shows how to make a backup and to restore it', async () => {
    const [backup = ''] = blocks('sh', section('Back up', guide));
    const [restore = ''] = blocks('sh', section('Restore', guide));
    await using directory = await temporaryDirectory();
    await copyMigrated(directory.file('watchword.db'));
    for (const line of registrations()) await run(line, directory);
    await run(backup.trim(), directory);
    const output = await run(restore.trim(), directory);
    assert.match(output, /orders-api[\s\S]*night-job/);
  });
});
