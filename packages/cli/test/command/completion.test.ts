import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';

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

  /** What bash offers for the last word of each list: one shell, because its start takes longer than the completions. */
  async function complete(...lists: readonly (readonly string[])[]): Promise<string[]> {
    const lines = lists.map((words) => `offer watchword ${words.map((word) => `'${word}'`).join(' ')}`);
    const offer = `offer() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _watchword; echo "\${COMPREPLY[*]}"; }`;
    const script = ['source "$1"', offer, ...lines].join('\n');
    const { stdout } = await run(pathOf('bash') ?? '', ['-c', script, 'bash', directory.file('bash')]);
    return stdout.split('\n').slice(0, -1);
  }

  for (const shell of shells) {
    it(`is a script that ${shell} accepts`, { skip: pathOf(shell) === undefined }, async () => {
      await run(pathOf(shell) ?? '', ['-n', directory.file(shell)]);
    });
  }

  it('offers commands, subcommands and options in bash', { skip: pathOf('bash') === undefined }, async () => {
    const offered = await complete(
      ['gr'],
      ['grant', ''],
      ['grant', 'end', '--res'],
      ['token', 'list', '--client', 'app', '--li'],
      ['grant', 'nothing', 'l'],
    );
    assert.deepEqual(offered, ['grant', 'list show end --help', '--resource-server', '--limit', 'list']);
  });

  it('offers the values of options and arguments that are fixed', {
    skip: pathOf('bash') === undefined,
  }, async () => {
    const offered = await complete(
      ['serve', '--log-level', ''],
      ['serve', '--log-level', '=', 'w'],
      ['serve', '--log-level', '='],
      ['serve', '--allow-insecure-authentication', 't'],
      ['client', 'update', 'app', '--use-refresh-tokens', ''],
      ['user', 'set-admin', 'emma', 'o'],
      ['completion', ''],
      ['token', 'list', '--limit', ''],
    );
    const levels = 'fatal error warn info debug silent';
    const others = ['true', 'true false', 'on off', 'bash zsh fish --help', ''];
    assert.deepEqual(offered, [levels, 'warn', levels, ...others]);
  });

  it('takes the value of an option for no command', { skip: pathOf('bash') === undefined }, async () => {
    const offered = await complete(
      ['--url', 'token', 'grant', 'l'],
      ['token', 'list', '--client', 'show', '--af'],
    );
    assert.deepEqual(offered, ['list', '--after']);
  });

  it('offers files where a file is expected', { skip: pathOf('bash') === undefined }, async () => {
    const begin = directory.file('ba');
    const offered = await complete(['serve', '--config', begin], ['restore', begin], ['restore', '--y']);
    assert.deepEqual(offered, [directory.file('bash'), directory.file('bash'), '--yes']);
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
