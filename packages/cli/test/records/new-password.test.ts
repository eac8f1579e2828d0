import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { UsageError } from '../../src/command/usage-error.ts';
import { newPassword } from '../../src/records/people/new-password.ts';

/** A terminal with this typed input; `shown` is the text on the screen. */
function typed(keys: string) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  stdin.end(keys);
  const shown: string[] = [];
  return { stdin, stderr: { write: (text: string) => void shown.push(text) }, shown };
}

function piped(...chunks: (string | Buffer)[]) {
  return { stdin: Readable.from(chunks.map((chunk) => Buffer.from(chunk))), stderr: { write: () => {} } };
}

describe('a password typed at a terminal', () => {
  it('is asked for twice and not shown', async () => {
    const terminal = typed('correct hörse\rcorrect hörse\r');
    assert.equal(await newPassword(false, terminal), 'correct hörse');
    assert.equal(terminal.shown.join(''), 'Password: \nOnce more: \n');
  });

  it('can be corrected while it is typed', async () => {
    assert.equal(
      await newPassword(false, typed('wrongg\u007f\u007f\u007f\u007f\u007f\u007fright\rright\r')),
      'right',
    );
  });

  it('is rejected when the second differs, when it is empty, or when it was cancelled', async () => {
    for (const keys of ['one\rtwo\r', 'one\r', '', 'one\u0003', 'one\r\u0003', '\u0004']) {
      await assert.rejects(newPassword(false, typed(keys)), UsageError, JSON.stringify(keys));
    }
  });
});

describe('a password from standard input', () => {
  it('is its only line, without the end of the line', async () => {
    for (const [input, password] of [
      ['correct horse battery', 'correct horse battery'],
      ['correct horse battery\n', 'correct horse battery'],
      ['correct horse battery\r\n', 'correct horse battery'],
      [' spaces stay \n', ' spaces stay '],
      ['\ufeffmark\r\n', 'mark'],
      ['', ''],
    ] as const) {
      assert.equal(await newPassword(true, piped(input)), password);
    }
    const bytes = Buffer.from('hörse');
    assert.equal(await newPassword(true, piped(bytes.subarray(0, 2), bytes.subarray(2))), 'hörse');
  });

  it('is rejected unless it is one line of UTF-8 of a sensible length', async () => {
    for (const input of ['one\ntwo', 'one\n\n', 'one\rtwo', Buffer.from([0x68, 0xff]), 'x'.repeat(20_000)]) {
      await assert.rejects(newPassword(true, piped(input)), (error) => {
        assert.ok(error instanceof UsageError);
        assert.doesNotMatch(error.message, /two|xxx/);
        return true;
      });
    }
  });

  it('is not read without its option, because a script must not wait for a question', async () => {
    await assert.rejects(newPassword(false, piped('correct horse battery')), /--password-stdin/);
  });
});
