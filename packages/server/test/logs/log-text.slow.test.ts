import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startProcess, temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { servedAtTerminal } from '../support/served-at-terminal.ts';

describe('the log of a server in a pipe', () => {
  // In `npm test`, workers.test.ts reads it.
  it('is JSON', async () => {
    await using directory = await temporaryDirectory();
    await using server = await startProcess(['--port', '0', '--database', directory.file('new.db')]);
    await server.end('SIGTERM');
    for (const line of server.log().trim().split('\n')) {
      assert.equal(typeof JSON.parse(line).level, 'number');
    }
  });
});

describe('the log of a server with a named format', () => {
  it('is JSON at a terminal with json', async () => {
    await using directory = await temporaryDirectory();
    const args = ['--database', directory.file('new.db'), '--log-format', 'json'];
    const output = await servedAtTerminal(args, /"msg":"listening"/);
    assert.doesNotMatch(output, /INFO/);
  });

  it('is text in a pipe with text', async () => {
    await using directory = await temporaryDirectory();
    const args = ['--port', '0', '--database', directory.file('new.db'), '--log-format', 'text'];
    await using server = await startProcess(args);
    await server.end('SIGTERM');
    assert.match(server.log(), /INFO {2}listening[\s\S]*INFO {2}shut down\n$/);
  });
});
