import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import { storeConformance } from '@watchword/testkit';
import { sharedStore } from '../support/shared-store.ts';

describe('a store', onlyOn('sqlite', 'its store'), () => {
  let directory = '';
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'watchword-store-'));
  });
  storeConformance(
    'SQLite',
    sharedStore(() => join(directory, 'test.db'), 'sqlite'),
    // Most, because it is the cheaper one.
    [0, 1, 2],
  );
  after(() => rm(directory, { recursive: true }));
});
