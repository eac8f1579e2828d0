import assert from 'node:assert/strict';
import { it } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { startServer } from '@watchword/server-testkit/servers/server';
import { sql } from '@watchword/server-testkit/servers/sql';

it('the start says which resource servers keep a scope with a name of OpenID Connect as their own', async () => {
  await using directory = await temporaryDirectory();
  const database = directory.file('own.db');
  {
    await using server = await startServer({ database });
    assert.doesNotMatch(server.log(), /names of OpenID Connect/);
    const { store } = server.service;
    const found = await store.resourceServers.find('demo-resource-server');
    assert.ok(found !== undefined);
    await sql(
      server.database,
      `update resource_server set scopes = 'read email groups' where id = ${found.id}`,
    );
  }
  await using server = await startServer({ database });
  const line =
    server
      .log()
      .split('\n')
      .find((each) => each.includes('names of OpenID Connect')) ?? '';
  assert.match(line, /"resourceServer":"demo-resource-server"/);
  assert.match(line, /"scopes":\["email","groups"\]/);
});
