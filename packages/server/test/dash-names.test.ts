import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { copyMigrated } from '@watchword/server-testkit/database-template';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/process';
import type { Command } from 'commander';
import { commandPath } from '../src/cli/examples.ts';
import { commandLine } from '../src/cli/main.ts';

const io = {
  env: {},
  stdin: process.stdin,
  stdout: { write: () => {} },
  stderr: { write: () => {} },
};

function withArguments(command: Command): Command[] {
  const own = command.registeredArguments.length > 0 ? [command] : [];
  return [...own, ...command.commands.flatMap(withArguments)];
}

describe('a name that begins with a dash, which earlier releases made', () => {
  it('has advice of every command that takes a name', async () => {
    const commands = withArguments(commandLine(io)).map((command) => commandPath(command));
    assert.ok(commands.length > 20, String(commands.length));
    for (const path of commands) {
      const { code, stderr } = await watchword([...path, '-api']);
      assert.equal(code, 2, path.join(' '));
      const advice = `If -api is a name, write it at the end, after --: watchword ${path.join(' ')} -- -api\n`;
      assert.ok(stderr.includes(advice), `${path.join(' ')}: ${stderr}`);
    }
  });

  it('is taken after --, for resource servers, clients and accounts', async () => {
    await using directory = await temporaryDirectory();
    await copyMigrated(directory.file('x.db'));
    const database = ['--database', directory.file('x.db')];
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await watchword(args, { stdin: 'correct horse' });
      assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
      return stdout;
    };
    const api = {
      ...{ key: '--dash', secret: 'a-secret-of-the-resource-server', name: 'Dash' },
      ...{ contactName: 'x', scopes: ['read'] },
      clients: [
        {
          ...{ clientId: '-', secret: 'a-secret-of-the-first-client', clientName: 'One', contactName: 'x' },
          ...{ scopes: ['read'], allowedClientCredentials: true, expireDuration: 60 },
        },
      ],
    };
    await writeFile(directory.file('records.json'), JSON.stringify({ resourceServers: [api] }));
    await run('import', directory.file('records.json'), ...database);
    assert.match(await run('resource-server', 'show', ...database, '--', '--dash'), /^key +--dash$/m);
    await run('client', 'create', '--resource-server', '--dash', '--name', 'Two', ...database);
    assert.match(await run('client', 'list', '--resource-server', '--dash', ...database), / two /);
    await run('token', 'issue', '--client', '-', ...database);
    await run('client', 'rotate-secret', ...database, '--', '-');
    await run('client', 'delete', '--yes', ...database, '--', '-');
    await run('user', 'create', '--password-stdin', ...database, '--', '-emma');
    assert.match(await run('user', 'show', ...database, '--', '-emma'), /^username +-emma$/m);
    await run('user', 'delete', '--yes', ...database, '--', '-emma');
    await run('resource-server', 'delete', '--yes', ...database, '--', '--dash');
  });
});
