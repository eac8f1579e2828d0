import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commandRuns, sealingKey } from '@watchword/server-testkit/command-runs';
import { watchword } from '@watchword/server-testkit/process';
import { postgresqlServer } from '@watchword/testkit/postgresql';

/** Commands of another test, or without a database of PostgreSQL. */
const elsewhere = new Set([
  'serve',
  'healthcheck',
  'check',
  'backup',
  'restore',
  'restored',
  'migrate-data',
  'config',
  'texts missing',
  'completion',
  'user digest',
  'login',
  'logout',
  'profile list',
  'profile use',
]);

/** The commands in the help of a command: names and groups. */
async function commandsOf(...group: string[]): Promise<string[]> {
  const { stdout } = await watchword([...group, '--help']);
  const list = stdout.split('\nCommands:\n')[1]?.split('\n\n')[0] ?? '';
  return [...list.matchAll(/^ {2}([a-z-]+)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'help');
}

describe('each command over PostgreSQL', () => {
  it('is in this test or another one', async () => {
    const all = await Promise.all(
      (await commandsOf()).map(async (name) => {
        const own = await commandsOf(name);
        return own.length === 0 ? [name] : own.map((command) => `${name} ${command}`);
      }),
    );
    const known = [...Object.keys(commandRuns), ...elsewhere];
    assert.deepEqual(all.flat().toSorted(), known.toSorted());
  });

  it('does its work', async () => {
    await using database = await (await postgresqlServer()).createDatabase();
    let token = '';
    for (const [command, { args, stdin, prints, code = 0 }] of Object.entries(commandRuns)) {
      const words = [...command.split(' '), ...(typeof args === 'function' ? args(token) : args), '--json'];
      const result = await watchword(words, {
        env: { WATCHWORD_DATABASE: database.url, WATCHWORD_SIGNING_KEY: sealingKey },
        ...(stdin && { stdin }),
      });
      const text = (result.stdout + result.stderr).replaceAll('": ', '":');
      assert.match(text, prints, `${command}: ${JSON.stringify(result)}`);
      assert.equal(result.code, code, `${command}: ${text}`);
      if (command === 'token issue') token = JSON.parse(result.stdout).id;
    }
  });
});
