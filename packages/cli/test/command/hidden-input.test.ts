import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import {
  bin,
  cleanEnvironment,
  logged,
  temporaryDirectory,
  until,
  watchword,
} from '@watchword/server-testkit/processes/process';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { withDatabases } from '@watchword/server-testkit/servers/engine';
import { variants } from '@watchword/testkit';

const password = 'correct horse battery';

/** A terminal (`script` of util-linux) in which a command asks for the password of a new account. */
interface AskingTerminal extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly output: () => string;
  type(text: string): void;
  /** Id of the process that asks. */
  pid(): number;
}

type Directory = Awaited<ReturnType<typeof temporaryDirectory>>;

/** @param script of a shell, with `$ASK` for the command that asks; it runs at the terminal, without job control */
async function atTerminal(directory: Directory, script: string): Promise<AskingTerminal> {
  await copyMigrated(directory.file('x.db'));
  const command = ['user', 'create', 'emma', '--database', directory.file('x.db')];
  const line = await withDatabases({ args: command, env: {} });
  const words = [process.execPath, bin, ...line.args].map((word) => `'${word}'`).join(' ');
  await writeFile(directory.file('ask'), `echo "pid=$$"\nexec ${words}\n`);
  await writeFile(directory.file('script'), script);
  const env = cleanEnvironment({ ...line.env, ASK: `sh ${directory.file('ask')}`, PS1: 'shell> ', ENV: '' });
  const child = spawn('script', ['-qec', `sh ${directory.file('script')}`, '/dev/null'], { env });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  return {
    child,
    output: () => output,
    type: (text) => void child.stdin.write(text),
    pid: () => Number(/pid=(\d+)/.exec(output)?.[1]),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
  };
}

/** Types the password at both questions. @param first keys before it, in one piece with it */
async function answer({ output, type }: AskingTerminal, first = ''): Promise<void> {
  type(`${first}${password}\r`);
  await logged(output, /Once more: /);
  type(`${password}\r`);
}

describe('a password that is being typed', () => {
  it('stays hidden after Ctrl-Z where the terminal has no job control', async () => {
    await using directory = await temporaryDirectory();
    await using terminal = await atTerminal(directory, 'exec $ASK\n');
    await logged(terminal.output, /Password: /);
    const closed = once(terminal.child, 'close');
    // In one piece: the terminal shows what arrives while the command tries to stop, and nothing tells when that is over.
    await answer(terminal, '\u001a');
    await closed;
    assert.equal(terminal.child.exitCode, 0, terminal.output());
    assert.ok(!terminal.output().includes('correct'), terminal.output());
    const database = ['--database', directory.file('x.db')];
    assert.equal((await watchword(['user', 'show', 'emma', ...database])).code, 0);
  });

  const stops: readonly (readonly [string, (terminal: AskingTerminal) => unknown])[] = [
    ['Ctrl-Z', (terminal) => terminal.type('\u001a')],
    ['SIGSTOP', (terminal) => process.kill(terminal.pid(), 'SIGSTOP')],
    ['SIGTSTP', (terminal) => process.kill(terminal.pid(), 'SIGTSTP')],
  ];
  const signals = ['SIGINT', 'SIGHUP', 'SIGTERM', 'SIGQUIT', 'SIGUSR2'] as const;
  for (const [index, signal] of variants(1, signals).entries()) {
    const [how, stop] = stops[index % stops.length] ?? assert.fail();
    it(`is asked for again, and hidden, when the command continues after ${how}; the terminal shows what is typed when ${signal} ends it`, async () => {
      await using directory = await temporaryDirectory();
      // The shell of the terminal has job control, and would end with its job; `stty` shows the modes that the stopped command leaves.
      const left = "stty -a | grep -o -- '-\\?\\becho\\b' | sed 's/^/left: /'";
      const script = [
        'set -m',
        'trap : INT QUIT',
        '$ASK',
        left,
        'fg',
        'echo "ended: $?"',
        'stty -a',
        'echo done',
      ];
      await using terminal = await atTerminal(directory, `${script.join('\n')}\n`);
      await logged(terminal.output, /Password: /);
      stop(terminal);
      await logged(terminal.output, /left: -?echo[\s\S]*Password: |ended: /);
      if (how !== 'SIGSTOP') assert.match(terminal.output(), /left: echo/);
      terminal.type(`${password}\r`);
      await logged(terminal.output, /Once more: |ended: /);
      process.kill(terminal.pid(), signal);
      await logged(terminal.output, /done/);
      await until(() => terminal.child.exitCode !== null);
      assert.match(terminal.output(), /ended: [\s\S]* icanon [\s\S]* echo /);
      assert.doesNotMatch(terminal.output(), /ended: 0/);
      assert.ok(!terminal.output().includes('correct'), terminal.output());
    });
  }
});
