import assert from 'node:assert/strict';
import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { describe, it } from 'node:test';
import { StoreUnavailableError } from '@watchword/protocol';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import { newResourceServer, tokenFactory } from '@watchword/testkit';
import { testDatabase } from '../support/test-database.ts';

const only = onlyOn('sqlite', 'removes the file');

const changes: Record<string, (file: string) => void> = {
  removed: (file) => rmSync(file),
  'moved away': (file) => renameSync(file, `${file}.away`),
  'replaced by a copy': (file) => {
    copyFileSync(file, `${file}.copy`);
    renameSync(`${file}.copy`, file);
  },
  'without its write-ahead log': (file) => rmSync(`${file}-wal`),
};

describe('an open database file that is', only, () => {
  for (const [what, change] of Object.entries(changes)) {
    it(`${what}: no write resolves any more, and the server is not ready`, async () => {
      await using database = await testDatabase();
      const store = await database.openServer();
      const make = tokenFactory();
      await store.accessTokens.insert(make());
      change(database.file);
      const isReported = (error: unknown) =>
        error instanceof StoreUnavailableError && /was removed or replaced/.test(error.message);
      await assert.rejects(store.accessTokens.insert(make()), isReported);
      await assert.rejects(store.check(), isReported);
      await assert.rejects(store.resourceServers.create(newResourceServer(), ['api']), isReported);
    });
  }

  it('restored to its path: all writes work again', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const away = `${database.file}.away`;
    renameSync(database.file, away);
    await assert.rejects(store.check());
    renameSync(away, database.file);
    await store.check();
    const token = tokenFactory()();
    await store.accessTokens.insert(token);
    assert.notEqual(await store.accessTokens.find(token.id), undefined);
  });
});
