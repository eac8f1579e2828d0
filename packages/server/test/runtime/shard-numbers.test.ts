import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { registerApplication } from '@watchword/server-testkit/clients/application';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { sql } from '@watchword/server-testkit/servers/sql';

/** The 12 bits `rand_a` of the ids in these tables. */
async function shardsOf({ database }: TestServer, ...tables: readonly string[]): Promise<string[]> {
  const rows = await Promise.all(tables.map((table) => sql(database, `select id from ${table}`)));
  return rows.flat().map(({ id }) =>
    Buffer.from(id as Uint8Array)
      .toString('hex')
      .slice(13, 16),
  );
}

describe('the shard of a grant', () => {
  it('is the same in the ids of its code, access tokens and refresh tokens', async () => {
    await using server = await startServer();
    const app = await registerApplication(server);
    const { refresh_token } = await app.obtainTokens();
    assert.equal((await app.refresh(refresh_token)).status, 200);
    const shards = await shardsOf(
      server,
      'authorization_grant',
      'authorization_code',
      'refresh_token',
      'access_token',
    );
    assert.equal(shards.length, 6);
    assert.equal(new Set(shards).size, 1);
  });

  it('is in the id of an access token of the implicit grant', async () => {
    await using server = await startServer();
    const app = await registerApplication(server, { allowedImplicitGrant: true });
    await app.authorize({ response_type: 'token' });
    const shards = await shardsOf(server, 'authorization_grant', 'access_token');
    assert.equal(shards.length, 2);
    assert.equal(new Set(shards).size, 1);
  });

  it('is random, so that the grants of a server are in many shards', async () => {
    await using server = await startServer();
    const app = await registerApplication(server);
    for (let count = 0; count < 6; count += 1) await app.obtainTokens();
    assert.ok(new Set(await shardsOf(server, 'authorization_grant')).size > 2);
  });
});
