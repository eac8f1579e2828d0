import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { startAdministration } from '@watchword/server-testkit/servers/administration';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { variants } from '@watchword/testkit';
import type { Command } from 'commander';
import { commandPath } from '../../src/command/examples.ts';
import { commandLine } from '../../src/main.ts';

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
      const { code, stdout, stderr } = await watchword(args, { stdin: 'correct horse battery' });
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

describe('the identifier of a new record', () => {
  it('is made from its name, or chosen where it is registered', async () => {
    await using directory = await temporaryDirectory();
    await copyMigrated(directory.file('x.db'));
    const run = (...args: string[]) => watchword([...args, '--database', directory.file('x.db')]);
    const keys = async (...args: string[]) => {
      const { stdout, stderr } = await run('resource-server', 'create', ...args, '--json');
      return stdout === '' ? stderr : JSON.parse(stdout).key;
    };
    assert.equal(await keys('--name', '注文 API'), 'api');
    assert.equal(await keys('--name', 'Мой сервис'), 'resource-server');
    assert.equal(await keys('--name', 'Заказы', '--key', 'orders'), 'orders');
    assert.match(await keys('--name', 'Other', '--key', 'orders'), /a record with the key orders already/);
    const wrongs = ['-orders', 'authorization-server-admin', 'orders-', 'Orders', 'or ders', '', 'o\u200b'];
    for (const wrong of variants(2, wrongs)) {
      assert.match(
        await keys('--name', 'Other', '--key', wrong),
        / {2}key: (?:must be 1 to 255|belongs to)/,
        wrong,
      );
    }
    const create = ['client', 'create', '--resource-server', 'orders', '--name', 'Ночь'];
    const made = await run(...create, '--json');
    assert.equal(JSON.parse(made.stdout).clientId, 'client');
    const chosen = await run(...create, '--client-id', 'night', '--json');
    assert.equal(JSON.parse(chosen.stdout).clientId, 'night');
    assert.match(
      (await run(...create, '--client-id', 'night')).stderr,
      /a record with the clientId night already/,
    );
    assert.match((await run(...create, '--client-id', '-night')).stderr, / {2}clientId: must be/);
  });

  it('is chosen over the network, too', async () => {
    await using server = await startAdministration();
    const root = await server.administrator();
    const run = async (...args: string[]) => {
      const env = { WATCHWORD_ADMIN_TOKEN: root.token };
      const { stdout, stderr } = await watchword([...args, '--url', server.baseUrl], { env });
      return stdout + stderr;
    };
    const api = ['resource-server', 'create', '--name', 'Заказы', '--key', 'orders'];
    assert.match(await run(...api), /^key +orders$/m);
    assert.match(await run(...api, '--name', 'Other'), /a record with the key orders already/);
    const app = ['client', 'create', '--resource-server', 'orders', '--name', 'Ночь', '--client-id', 'night'];
    assert.match(await run(...app), /^clientId +night$/m);
  });
});
