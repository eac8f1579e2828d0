import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { FakeClock } from '@watchword/testkit';
import { inspect, openSqliteServerStore, openSqliteStore } from '../../src/index.ts';

const clock = new FakeClock();

/** A directory for databases of SQLite. */
function directory() {
  const path = mkdtempSync(join(tmpdir(), 'watchword-inspect-'));
  return { path, file: join(path, 'x.db'), [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

describe('an inspection of a SQLite database', () => {
  it('sees what a server has written and not yet moved into the file', async () => {
    using place = directory();
    const server = await openSqliteServerStore({ file: place.file, clock, release: '0.9.0' });
    const { applied, servers } = await inspect({ database: place.file });
    assert.equal(applied[0], '0001-schema');
    assert.equal(servers[0]?.release, '0.9.0');
    await server.close();
  });

  it('leaves no file beside a database that is closed', async () => {
    using place = directory();
    await (await openSqliteServerStore({ file: place.file, clock, release: '0.9.0' })).close();
    const before = readdirSync(place.path);
    const { servers } = await inspect({ database: place.file });
    assert.deepEqual(
      servers.map(({ release, connections }) => [release, connections]),
      [['0.9.0', undefined]],
    );
    assert.deepEqual(readdirSync(place.path), before);
  });

  it('keeps the release of the last server while tools use the database', async () => {
    using place = directory();
    await (await openSqliteServerStore({ file: place.file, clock, release: '0.9.0' })).close();
    const tool = await openSqliteStore({ file: place.file, clock });
    await tool.withoutServers(async () => {});
    await tool.close();
    assert.equal((await inspect({ database: place.file })).servers[0]?.release, '0.9.0');
  });

  it('reads a database whose name has characters of URLs', async () => {
    using place = directory();
    await (await openSqliteServerStore({ file: place.file, clock })).close();
    const odd = join(place.path, 'a b%20?mode=rw#.db');
    copyFileSync(place.file, odd);
    assert.deepEqual((await inspect({ database: odd })).pending, []);
  });
});
