import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { errorRules, explainRule } from '@watchword/protocol';
import type { Command } from 'commander';
import { ownProcess } from '../../src/command/io.ts';
import { commandLine } from '../../src/main.ts';

/** The command whose path the words begin with, and the words that follow it. */
function found(program: Command, words: readonly string[]): [command: Command, rest: string[]] {
  const [word, ...rest] = words;
  const next = program.commands.find((candidate) => candidate.name() === word);
  return next === undefined ? [program, [...words]] : found(next, rest);
}

describe('the command that mends what broke a rule', () => {
  it('is one of this command line, with its arguments and options', () => {
    const names = { clientId: 'web-app', resourceServerKey: 'my-api' };
    const commands = Object.keys(errorRules).flatMap((name) => explainRule(names, name)?.command ?? []);
    assert.ok(commands.length > 15);
    const program = commandLine(ownProcess());
    for (const text of new Set(commands)) {
      const [first, ...words] = text.replace('SECONDS', '60').split(' ');
      assert.equal(first, 'watchword');
      const [command, rest] = found(program, words);
      assert.deepEqual(command.commands, [], `${text}: a group of commands`);
      const { operands, unknown } = command.parseOptions(rest);
      assert.deepEqual(unknown, [], text);
      const known = command.registeredArguments;
      const needed = known.filter(({ required }) => required);
      assert.ok(operands.length >= needed.length, `${text}: ${needed.length} arguments are needed`);
      assert.ok(operands.length <= known.length, `${text}: ${known.length} arguments are known`);
      // Only words in capitals are left to the reader.
      assert.doesNotMatch(text, /[{}<>[\]]/);
    }
  });

  it('has a name of any characters as one word of a shell, and never as an option', () => {
    const names = ['a$(touch /tmp/x)`id`', "it's;id", '--help', '-x', '$HOME', '&', '~', '!', '\\'];
    const commandsOf = names.map((name) => {
      const of = { clientId: name, resourceServerKey: name };
      const commands = Object.keys(errorRules).flatMap((rule) => explainRule(of, rule)?.command ?? []);
      return [...new Set(commands.map((text) => text.replace('SECONDS', '60')))];
    });
    const script = ['watchword() { printf \'%s\\0\' "$@"; echo; }', ...commandsOf.flat()].join('\n');
    const read = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n');
    assert.equal(read.length, commandsOf.flat().length);
    const io = ownProcess();
    for (const [index, name] of names.entries()) {
      const lines = read.splice(0, commandsOf[index]?.length);
      const program = commandLine(io);
      for (const line of lines) {
        const [command, rest] = found(program, line.split('\0').slice(0, -1));
        const { operands, unknown } = command.parseOptions(rest);
        assert.deepEqual(unknown, [], line);
        const given = [...operands, command.opts().client].filter((word) => !/^[A-Z_]*$/.test(word ?? ''));
        assert.deepEqual(new Set(given), new Set(line.includes(name) ? [name] : given), line);
      }
    }
  });
});
