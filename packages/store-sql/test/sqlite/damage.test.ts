import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, truncateSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type AccessToken, StoreDamagedError, StoreUnavailableError } from '@watchword/protocol';
import { databaseTemplate } from '@watchword/server-testkit/servers/database-template';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import {
  addClient,
  addResourceServer,
  countPages,
  damagePage,
  pageOf,
  rounds,
  schemaPages,
  tokenFactory,
} from '@watchword/testkit';
import { findDamageQuickly } from '../../src/dialects/sqlite/files/damage.ts';
import { idToBytes } from '../../src/hot/token-id.ts';
import { checkSqlite, DatabaseOpenError, type Examination, type ServerStore } from '../../src/index.ts';
import { type TestDatabase, testDatabase } from '../support/test-database.ts';

const only = onlyOn('sqlite', 'damages pages of the file');

const make = tokenFactory();
const tokens = Array.from({ length: 300 }, (_, number) =>
  make({ clientRecordId: 1, creationDate: Date.UTC(2026, 0, 1) + number }),
);

const copyWithTokens = databaseTemplate('tokens', async (store) => {
  await addClient(store, 'client', await addResourceServer(store));
  await Promise.all(tokens.map((token) => store.accessTokens.insert(token)));
});

/** Makes a database whose tokens fill several pages. Returns the tokens in the order of the file. */
async function withTokens({ file }: TestDatabase): Promise<readonly AccessToken[]> {
  await copyWithTokens(file);
  return tokens;
}

const never = new AbortController().signal;

function examine(store: ServerStore, signal: AbortSignal): Promise<Examination> {
  assert.ok(store.examine);
  return store.examine(signal);
}

describe('a damaged page', only, () => {
  it('is found by reading the whole database, at any position', async () => {
    await using database = await testDatabase();
    await withTokens(database);
    assert.deepEqual(checkSqlite(database.file), []);
    const damaged = database.path('damaged.db');
    const pages = countPages(database.file);
    assert.ok(pages > 50);
    for (let page = 1; page <= pages; page += rounds(11, 1)) {
      copyFileSync(database.file, damaged);
      damagePage(damaged, page);
      assert.notDeepEqual(checkSqlite(damaged), [], `page ${page}`);
      // Damage in the pages of the schema is an error of the opening.
      if (!schemaPages(database.file).has(page)) {
        assert.notDeepEqual(findDamageQuickly(damaged), [], `page ${page}`);
      }
    }
  });

  it('of the schema is found when the database is opened', async () => {
    await using database = await testDatabase();
    await withTokens(database);
    const last = Math.max(...schemaPages(database.file));
    assert.ok(last > 1);
    damagePage(database.file, last);
    await assert.rejects(database.openServer(), (error) => {
      return error instanceof DatabaseOpenError && /is damaged.*watchword restore/.test(error.message);
    });
  });

  it('makes the server not ready when the checking process has found it', async () => {
    await using database = await testDatabase();
    const [, token] = await withTokens(database);
    assert.ok(token);
    damagePage(database.file, pageOf(database.file, 'access_token', idToBytes(token.id)));
    const store = await database.openServer();
    await store.check();
    const { outcome, findings } = await examine(store, never);
    assert.equal(outcome, 'damaged');
    assert.match(findings.join('\n'), /^access_token: /m);
    await assert.rejects(store.check(), (error) => {
      return (
        error instanceof StoreUnavailableError && /watchword check.*watchword restore/.test(error.message)
      );
    });
  });

  it('fails the lookups that need the page, and no others', async () => {
    await using database = await testDatabase();
    const tokens = await withTokens(database);
    const [damaged, sound] = [tokens[10], tokens[200]];
    assert.ok(damaged && sound);
    damagePage(database.file, pageOf(database.file, 'access_token', idToBytes(damaged.id)));
    const { accessTokens } = await database.openServer();
    const lookups = [sound, damaged, sound].map(({ id }) => accessTokens.find(id));
    const [before, failed, after] = await Promise.allSettled(lookups);
    assert.equal(before?.status, 'fulfilled');
    assert.equal(after?.status, 'fulfilled');
    assert.ok(failed?.status === 'rejected' && failed.reason instanceof StoreDamagedError);
    assert.match(failed.reason.message, /malformed.*watchword check.*watchword restore/);
  });

  it('fails the writes that need the page, and no others', async () => {
    await using database = await testDatabase();
    const tokens = await withTokens(database);
    const damaged = tokens[10];
    assert.ok(damaged);
    damagePage(database.file, pageOf(database.file, 'access_token', idToBytes(damaged.id)));
    const { accessTokens } = await database.openServer();
    const token = tokenFactory('later')({ creationDate: Date.UTC(2026, 5, 1) });
    const writes = [accessTokens.insert(token), accessTokens.revoke(damaged.id)];
    const [inserted, revoked] = await Promise.allSettled(writes);
    assert.equal(inserted?.status, 'fulfilled');
    assert.ok(revoked?.status === 'rejected' && revoked.reason instanceof StoreDamagedError);
    assert.notEqual(await accessTokens.find(token.id), undefined);
  });
});

describe('a check', only, () => {
  it('finds nothing in a valid database, while a server uses it', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    assert.deepEqual(await examine(store, never), { outcome: 'sound', findings: [] });
    await store.check();
  });

  it('that is stopped has no result about the database', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const stop = new AbortController();
    const examined = examine(store, stop.signal);
    stop.abort();
    assert.equal((await examined).outcome, 'unfinished');
    await store.check();
  });
});

describe('a database with missing parts', only, () => {
  it('is not opened when the file was truncated', async () => {
    await using database = await testDatabase();
    await withTokens(database);
    truncateSync(database.file, readFileSync(database.file).length / 2);
    await assert.rejects(database.openServer(), (error) => {
      return error instanceof DatabaseOpenError && /is damaged/.test(error.message);
    });
  });

  it('is not opened by a server or a command when a table is missing, with the reason', async () => {
    await using database = await testDatabase();
    await withTokens(database);
    const other = database.connect();
    other.exec('drop table access_token');
    other.close();
    for (const open of [database.openServer, database.openTool]) {
      await assert.rejects(open(), (error) => {
        return error instanceof DatabaseOpenError && /tables.*differ from.*restore/.test(error.message);
      });
    }
  });
});
