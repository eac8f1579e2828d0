import assert from 'node:assert/strict';
import { it } from 'node:test';
import { logged, startProcess, temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { onlyOn } from '@watchword/server-testkit/servers/engine';

it('SIGHUP ends no server that has nothing to read', onlyOn('sqlite', 'has no password'), async () => {
  await using directory = await temporaryDirectory();
  const args = ['--host', '127.0.0.1', '--port', '0', '--database', directory.file('test.db')];
  await using server = await startProcess(args);
  server.child.kill('SIGHUP');
  await logged(server.log, /nothing was read again: the database is a file of SQLite/);
  assert.equal(await server.end('SIGTERM'), 0);
});
