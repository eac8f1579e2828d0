import assert from 'node:assert/strict';
import { closeSync, existsSync, openSync } from 'node:fs';
import { describe, it } from 'node:test';
import {
  startUnheard,
  temporaryDirectory,
  watchwordProcess,
} from '@watchword/server-testkit/processes/process';
import { copyDemo } from '@watchword/server-testkit/servers/server';
import { slowTest } from '@watchword/testkit';
import { pipelined } from '../support/raw-http.ts';
import { droppedLines, issueToken, redirected } from '../support/unwritten-log.ts';

describe('a server whose log cannot be written', { skip: !existsSync('/dev/full') }, () => {
  it('answers, counts the lines that it dropped, and ends in order on SIGTERM', async () => {
    await using directory = await temporaryDirectory();
    await copyDemo(directory.file('x.db'));
    // So long that few lines are more than the megabyte that may wait.
    const node = 'n'.repeat(255);
    const args = ['--demo', 'small', '--database', directory.file('x.db'), '--log-node', node];
    await using server = await startUnheard(args, redirected('>/dev/full'));
    await issueToken(server);
    await pipelined(server.baseUrl, 3500);
    assert.ok((await droppedLines(server)) > 0);
    assert.equal(await server.end('SIGTERM'), 0);
  });
});

slowTest('a command whose output cannot be written fails with exit code 1 and the reason', async (test) => {
  if (!existsSync('/dev/full')) return test.skip('no /dev/full');
  const full = openSync('/dev/full', 'w');
  const { code, stderr } = await watchwordProcess(['config'], { stdout: full });
  closeSync(full);
  assert.equal(code, 1);
  assert.match(stderr, /^watchword: the output of the command could not be written: ENOSPC.*\n$/);
});
