import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { confirmed } from '../../src/command/confirm.ts';
import { progressOf, showsProgress } from '../../src/command/progress.ts';

const line = (seconds: number) => `watchword: purge is still working, ${seconds} s`;
const cleared = '\r\u001b[K';

/** A terminal, and the progress of a command there. The clock of the test decides when a second is over. */
function terminal(test: TestContext, typed = '') {
  test.mock.timers.enable({ apis: ['setInterval'] });
  let text = '';
  const write = (part: string) => {
    text += part;
    // A second in which the user reads the question.
    if (part.endsWith('[y/N] ')) test.mock.timers.tick(1000);
  };
  const io = {
    env: {},
    stdin: Object.assign(Readable.from([Buffer.from(typed)]), { isTTY: true }),
    stdout: { write },
    stderr: { write, isTTY: true },
    exitCode: 0,
  };
  const second = () => test.mock.timers.tick(1000);
  return { progress: progressOf('purge', io), io, second, text: () => text };
}

describe('the progress of a command', () => {
  it('is shown after a second, every second, and gone before anything else is written', (test) => {
    const { progress, second, text } = terminal(test);
    test.mock.timers.tick(999);
    assert.equal(text(), '');
    test.mock.timers.tick(1);
    second();
    progress.io.stdout.write('Purged.\n');
    assert.equal(text(), `${line(1)}${cleared}${line(2)}${cleared}Purged.\n`);
    second();
    progress[Symbol.dispose]();
    assert.ok(text().endsWith(`Purged.\n${line(3)}${cleared}`));
    second();
    assert.ok(text().endsWith(cleared));
  });

  it('is not shown while a question waits for its answer, and is after it', async (test) => {
    const { progress, second, text } = terminal(test, 'y\n');
    assert.ok(await confirmed('Replace it?', progress.io));
    assert.equal(text(), 'Replace it? [y/N] ');
    second();
    assert.equal(text(), `Replace it? [y/N] ${line(2)}`);
    progress[Symbol.dispose]();
  });

  it('leaves the exit code of the command to the process', (test) => {
    const { progress, io } = terminal(test);
    progress.io.exitCode = 1;
    assert.equal(io.exitCode, 1);
    progress[Symbol.dispose]();
  });

  it('is only for a terminal that can remove it, and not for a command that talks or serves', () => {
    const stderr = { write: () => {}, isTTY: true };
    assert.ok(showsProgress('purge', { env: { TERM: 'xterm' }, stderr }));
    assert.ok(!showsProgress('purge', { env: { TERM: 'xterm' }, stderr: { write: () => {} } }));
    assert.ok(!showsProgress('purge', { env: { TERM: 'dumb' }, stderr }));
    for (const name of ['serve', 'login', 'user']) assert.ok(!showsProgress(name, { env: {}, stderr }));
  });
});
