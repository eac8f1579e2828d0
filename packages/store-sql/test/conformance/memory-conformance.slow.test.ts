import { describe } from 'node:test';
import { storeConformance } from '@watchword/testkit';
import { memoryDatabase, openServerStore } from '../../src/index.ts';

describe('a store', () => {
  storeConformance(
    'SQLite in memory',
    (clock) => openServerStore({ database: memoryDatabase, clock }),
    [1, 2, 3, 4, 5, 6],
  );
});
