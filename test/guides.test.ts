import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import type { Command } from 'commander';
import { commandLine } from '../packages/cli/src/main.ts';
import { read, root } from '../scripts/docs/contents.ts';
import { guides, loginPages, walkGuides } from './support/guides.ts';
import { codeSpans, commandBlocks, lines, words } from './support/markdown.ts';

walkGuides('the guides', false);

const pages = globSync(['README.md', 'docs/**/*.md', '{packages,examples}/*/README.md', 'deploy/**/*.md'], {
  cwd: root,
  exclude: ['**/{node_modules,adr}/**'],
});

describe('the documents', () => {
  it('have commands that a test runs, or a reason', () => {
    assert.ok(pages.length > 20);
    const problems = pages.flatMap((page) =>
      commandBlocks(read(page)).flatMap(({ mark, commands }) => {
        const problem = problemOf(page, mark, commands);
        return problem === undefined ? [] : [`${page}: ${problem}: ${commands.split('\n')[0]}`];
      }),
    );
    assert.deepEqual(problems, []);
  });

  it('name commands and options that exist, also where no test runs them', () => {
    const nowhere = new Writable();
    const program = commandLine({ env: {}, stdin: process.stdin, stdout: nowhere, stderr: nowhere });
    const named = pages.flatMap((page) => {
      const blocks = commandBlocks(read(page)).flatMap(({ commands }) => lines(commands));
      const calls = [...blocks, ...codeSpans(read(page))].flatMap(
        (line) =>
          /(?:^|\/|npx (?:--no-install )?|watchword )watchword ((?:--url|(?!npx |watchword )[a-z]).*)$/.exec(
            line,
          )?.[1] ?? [],
      );
      return calls.map((call) => [page, call, unknownWord(call, program)] as const);
    });
    assert.ok(named.length > 150, `${named.length} commands`);
    assert.deepEqual(
      named.filter(([, , unknown]) => unknown !== undefined),
      [],
    );
  });

  it('to logins of products are all in their index', () => {
    const index = read('docs/guides/log-users-in/README.md');
    assert.ok(loginPages.length > 10);
    assert.deepEqual(
      loginPages.filter((page) => !index.includes(`](${basename(page)})`)),
      [],
    );
  });
});

/** The first word of a call that is no command and no option. */
function unknownWord(call: string, program: Command): string | undefined {
  let command = program;
  let isValue = false;
  for (const word of words(call.split(' -- ')[0] ?? '')) {
    const isOption = word.startsWith('--');
    const below = command.commands.find((each) => each.name() === word);
    if (isOption) {
      const flag = word.split('=')[0];
      const options = [program, command].flatMap((each) => each.options.map(({ long }) => long));
      if (!['--help', ...options].includes(flag)) return word;
    } else if (below !== undefined) command = below;
    else if (command.commands.length > 0 && !isValue) return word;
    isValue = isOption;
  }
  return undefined;
}

function problemOf(page: string, mark: string | undefined, commands: string): string | undefined {
  if (mark === undefined) {
    return page in guides
      ? undefined
      : 'expected an entry in test/support/guides.ts, or a comment before the block';
  }
  if (/^not run: \S/.test(mark)) return undefined;
  const [, file] = /^run by (\S+\.test\.ts)$/.exec(mark) ?? [];
  if (file === undefined) return `expected "run by FILE" or "not run: REASON", got "${mark}"`;
  if (!existsSync(`${root}${file}`)) return `${file} does not exist`;
  const names = [basename(page), basename(dirname(page)), commands.trim()];
  return names.some((name) => read(file).includes(name)) ? undefined : `${file} does not mention the page`;
}
