import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@watchword/testkit';
import { query } from '@watchword/testkit/postgresql';
import { openServerStore, openStore } from '../../src/index.ts';
import { postgresqlNodes } from '../support/postgresql-node.ts';

const clock = new FakeClock();

describe('work that no server may disturb', () => {
  it('is refused while a server is connected, whatever name the URLs give to connections', async () => {
    await using database = await postgresqlNodes();
    const named = `${database.url}?application_name=${encodeURIComponent('ours, eu-1')}`;
    for (const [ofServer, ofTool] of [
      [database.url, named],
      [named, database.url],
    ] as const) {
      const server = await openServerStore({ database: ofServer, clock });
      const names = await query(
        database.url,
        `select distinct application_name as name from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`,
      );
      assert.deepEqual(names, [{ name: ofServer === named ? 'watchword ours, eu-1' : 'watchword' }]);
      const tool = await openStore({ database: ofTool, clock });
      await assert.rejects(
        tool.withoutServers(() => assert.fail('it ran')),
        /^DatabaseOpenError: Servers use the database .*: they have \d+ connections\./,
      );
      await tool.close();
      await server.close();
    }
    const tool = await openStore({ database: named, clock });
    assert.equal(await tool.withoutServers(async () => 'done'), 'done');
    await tool.close();
  });
});
