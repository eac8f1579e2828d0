import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { dependentsInWords } from '../../src/administration/dependents.ts';
import { confirmed, isConfirmed } from '../../src/command/confirm.ts';
import type { Io } from '../../src/command/io.ts';

/** A terminal with this typed input; `shown` is the text on the screen. */
function typed(keys: string) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  stdin.end(keys);
  const shown: string[] = [];
  return { stdin, stderr: { write: (text: string) => void shown.push(text) }, shown };
}

describe('a command that asks for confirmation', () => {
  const asked = async (keys: string, flags: Readonly<Record<string, boolean>> = {}) => {
    const { shown, ...terminal } = typed(keys);
    const io: Io = { ...terminal, env: {}, stdout: { write: () => {} } };
    const result = await isConfirmed({ ...flags, io }, () => 'Delete?', 'Nothing was deleted.');
    return { result, shown: shown.join(''), exitCode: io.exitCode };
  };

  it('reports that nothing has changed, with exit code 1, when the user does not confirm', async () => {
    const shown = 'Delete? [y/N] Nothing was deleted.\n';
    assert.deepEqual(await asked('n\n'), { result: false, shown, exitCode: 1 });
    assert.deepEqual(await asked('y\n'), { result: true, shown: 'Delete? [y/N] ', exitCode: undefined });
  });

  it('asks nothing with --yes, and asks with --json', async () => {
    assert.deepEqual(await asked('n\n', { yes: true }), { result: true, shown: '', exitCode: undefined });
    assert.ok(!(await asked('n\n', { json: true })).result);
  });

  it('changes nothing without a terminal, unless --yes is given', async () => {
    const io: Io = {
      stdin: Readable.from(['y\n']),
      stderr: { write: () => {} },
      stdout: { write: () => {} },
      env: {},
    };
    const inScript = (flags: Readonly<Record<string, boolean>>) =>
      isConfirmed({ ...flags, io }, () => assert.fail('asked'), 'Nothing was deleted.');
    for (const flags of [{}, { json: true }]) {
      await assert.rejects(inScript(flags), {
        name: 'UsageError',
        message: '--yes: expected it, because there is no terminal to ask at. Nothing was deleted.',
      });
    }
    assert.ok(await inScript({ yes: true }));
  });
});

describe('a question at a terminal', () => {
  it('is shown with the number of dependent records', async () => {
    const terminal = typed('y\n');
    await confirmed('Delete my-api with 1 client and 0 active tokens?', terminal);
    assert.equal(terminal.shown.join(''), 'Delete my-api with 1 client and 0 active tokens? [y/N] ');
  });

  it('accepts y and yes only', async () => {
    for (const keys of ['y\n', 'Y\r\n', 'yes\n', ' yes \n'])
      assert.ok(await confirmed('?', typed(keys)), keys);
    for (const keys of ['\n', 'n\n', 'no\n', 'yep\n', 'x\ny\n', '']) {
      assert.equal(await confirmed('?', typed(keys)), false, JSON.stringify(keys));
    }
  });
});

it('the dependents of a resource server are shown with their number', () => {
  assert.equal(dependentsInWords({ clients: 1, tokens: 0, isLeast: false }), '1 client and 0 active tokens');
  assert.equal(
    dependentsInWords({ clients: 2, tokens: 10_000, isLeast: true }),
    '2 clients and at least 10000 active tokens',
  );
});
