import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeOf } from '@watchword/server-testkit/processes/guide';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { copyDemo } from '@watchword/server-testkit/servers/server';

const guide = codeOf('migration.md').find(({ language }) => language === 'json')?.code ?? '';

describe('watchword import', () => {
  it('of many records shows how far it is on standard error, and ends with a summary', async () => {
    await using directory = await temporaryDirectory();
    const database = directory.file('demo.db');
    await copyDemo(database);
    const { resourceServers } = JSON.parse(guide);
    const [server] = resourceServers;
    const [client] = server.clients;
    server.clients = Array.from({ length: 1000 }, (_, index) => ({ ...client, clientId: `many-${index}` }));
    const stdin = JSON.stringify({ resourceServers });
    const { code, stdout, stderr } = await watchword(['import', '-', '--database', database], { stdin });
    assert.deepEqual([code, stderr], [0, '1000 of 1001 records\n1001 of 1001 records\n']);
    assert.match(stdout, /\nRecords: 1001 created, 0 changed, 0 unchanged\.\n$/);
  });
});
