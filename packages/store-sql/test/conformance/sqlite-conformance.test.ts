import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import { accessConformance, recordConformance, slowSuite } from '@watchword/testkit';
import { sharedStore } from '../support/shared-store.ts';

describe('a store', onlyOn('sqlite', 'its store'), () => {
  let directory = '';
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'watchword-store-'));
  });
  const openStore = sharedStore(() => join(directory, 'test.db'), 'sqlite');
  accessConformance('SQLite', openStore, [0]);
  // The SQL is that of PostgreSQL, whose conformance fails too.
  slowSuite('with its records', () => recordConformance('SQLite', openStore));
  after(() => rm(directory, { recursive: true }));
});
