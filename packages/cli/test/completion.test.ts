import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/process';

const run = promisify(execFile);
const shells = ['bash', 'zsh', 'fish'] as const;

function pathOf(shell: string): string | undefined {
  return ['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']
    .map((directory) => `${directory}/${shell}`)
    .find(existsSync);
}

describe('the completion of the command line', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  before(async () => {
    directory = await temporaryDirectory();
    for (const shell of shells) {
      const { code, stdout } = await watchword(['completion', shell]);
      assert.equal(code, 0);
      await writeFile(directory.file(shell), stdout);
    }
  });
  after(() => directory[Symbol.asyncDispose]());

  /** What bash offers for the last of the words. */
  async function complete(...words: readonly string[]): Promise<string[]> {
    const script = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _watchword; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await run(pathOf('bash') ?? '', [
      '-c',
      script,
      'bash',
      directory.file('bash'),
      'watchword',
      ...words,
    ]);
    return stdout.split('\n').filter(Boolean);
  }

  for (const shell of shells) {
    it(`is a script that ${shell} accepts`, { skip: pathOf(shell) === undefined }, async () => {
      await run(pathOf(shell) ?? '', ['-n', directory.file(shell)]);
    });
  }

  it('offers commands, subcommands and options in bash', { skip: pathOf('bash') === undefined }, async () => {
    assert.deepEqual(await complete('gr'), ['grant']);
    assert.deepEqual(await complete('grant', ''), ['list', 'show', 'end', '--help']);
    assert.deepEqual(await complete('grant', 'end', '--res'), ['--resource-server']);
    assert.deepEqual(await complete('token', 'list', '--client', 'app', '--li'), ['--limit']);
    assert.deepEqual(await complete('grant', 'nothing', 'l'), ['list']);
  });

  it('offers the values of options and arguments that are fixed', {
    skip: pathOf('bash') === undefined,
  }, async () => {
    const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'];
    assert.deepEqual(await complete('serve', '--log-level', ''), levels);
    assert.deepEqual(await complete('serve', '--log-level', '=', 'w'), ['warn']);
    assert.deepEqual(await complete('serve', '--log-level', '='), levels);
    assert.deepEqual(await complete('serve', '--allow-insecure-authentication', 't'), ['true']);
    assert.deepEqual(await complete('client', 'update', 'app', '--use-refresh-tokens', ''), [
      'true',
      'false',
    ]);
    assert.deepEqual(await complete('user', 'set-admin', 'emma', 'o'), ['on', 'off']);
    assert.deepEqual(await complete('completion', ''), ['bash', 'zsh', 'fish', '--help']);
    assert.deepEqual(await complete('token', 'list', '--limit', ''), []);
  });

  it('takes the value of an option for no command', { skip: pathOf('bash') === undefined }, async () => {
    assert.deepEqual(await complete('--url', 'token', 'grant', 'l'), ['list']);
    assert.deepEqual(await complete('token', 'list', '--client', 'show', '--af'), ['--after']);
  });

  it('offers files where a file is expected', { skip: pathOf('bash') === undefined }, async () => {
    const begin = directory.file('ba');
    assert.deepEqual(await complete('serve', '--config', begin), [directory.file('bash')]);
    assert.deepEqual(await complete('restore', begin), [directory.file('bash')]);
    assert.deepEqual(await complete('restore', '--y'), ['--yes']);
  });

  it('knows every command and option that the help has, in every shell', async () => {
    const { stdout } = await watchword(['client', 'create', '--help']);
    const flags = [...stdout.matchAll(/^ {2}.*?--([a-z-]+)/gm)].map(([, flag = '']) => flag);
    assert.ok(flags.length > 15);
    for (const shell of shells) {
      const script = await readFile(directory.file(shell), 'utf8');
      const ofCommand = script
        .split('\n')
        .filter((line) => line.includes('client create'))
        .join('\n');
      const names = new Set([...ofCommand.matchAll(/(?:--|-l ')([a-z-]+)/g)].map(([, name]) => name));
      for (const flag of flags) assert.ok(names.has(flag), `${shell} does not complete --${flag}`);
    }
  });
});
