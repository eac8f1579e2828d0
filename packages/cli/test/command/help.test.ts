import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { commandRuns } from '@watchword/server-testkit/processes/command-runs';
import { watchword } from '@watchword/server-testkit/processes/process';

/** Commands that a test of their own runs, or that use no database of PostgreSQL. */
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

interface Help {
  /** What the user types after `watchword`. */
  readonly path: string;
  readonly text: string;
}

/** The help of a command and of all its subcommands. */
async function helpsOf(path: string): Promise<Help[]> {
  const { code, stdout } = await watchword([...path.split(' ').filter(Boolean), '--help']);
  assert.equal(code, 0, path);
  const [, commands = ''] = /\nCommands:\n((?: {2,}.*\n)*)/.exec(stdout) ?? [];
  const names = [...commands.matchAll(/^ {2}([a-z]\S*)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'help');
  const children: Help[] = [];
  for (const name of names) children.push(...(await helpsOf(`${path} ${name}`.trim())));
  return [{ path, text: stdout }, ...children];
}

/** The examples in the help, each as the words after `watchword`, without what the shell reads. */
function examplesOf({ text }: Help): string[][] {
  const [, section = ''] = /^Examples:\n((?: {2}.*\n)*)/.exec(text) ?? [];
  return [...section.matchAll(/^ {2}watchword ?(.*)$/gm)].map(([, line = '']) =>
    [...line.replace(/ [<|] .*/, '').matchAll(/"[^"]*"|\S+/g)].map(([word]) => word),
  );
}

describe('the help of the command line', () => {
  let helps: Help[];
  before(async () => {
    helps = await helpsOf('');
  });

  it('begins with an example for every command, which begins with its name', () => {
    assert.ok(helps.length > 40, String(helps.length));
    for (const help of helps) {
      const examples = examplesOf(help);
      assert.notEqual(examples.length, 0, `watchword ${help.path} --help begins with no example`);
      for (const words of examples) assert.ok(`${words.join(' ')} `.startsWith(help.path), words.join(' '));
    }
  });

  it('has no command that no test runs over PostgreSQL', () => {
    const paths = helps.map(({ path }) => path);
    const commands = paths.filter((path) => !paths.some((other) => other.startsWith(`${path} `.trimStart())));
    const known = [...Object.keys(commandRuns), ...elsewhere];
    assert.deepEqual(commands.toSorted(), known.toSorted());
  });

  it('names only credentials that can use the command', () => {
    const remote = helps.filter(({ text }) => text.includes('--token-stdin'));
    for (const { path, text } of remote) {
      const isForPeople = /^(?:identity-provider|right) /.test(path);
      assert.equal(text.includes('WATCHWORD_ADMIN_CLIENT_ID'), !isForPeople, path);
      assert.match(text, /WATCHWORD_ADMIN_TOKEN/, path);
    }
  });

  it('has only examples with commands and options that exist', () => {
    for (const help of helps) {
      for (const words of examplesOf(help)) {
        const line = words.join(' ');
        const command = helps
          .filter(({ path }) => path === '' || ` ${line} `.includes(` ${path} `))
          .toSorted((a, b) => b.path.length - a.path.length)[0];
        for (const [flag] of line.matchAll(/--[a-z-]+/g)) {
          const isKnown = [command, helps[0]].some((each) => each?.text.includes(`${flag} `));
          assert.ok(isKnown, `${flag} in the example: watchword ${line}`);
        }
      }
    }
  });
});
