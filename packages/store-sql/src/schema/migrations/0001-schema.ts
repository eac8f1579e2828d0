import { grantsAndTokens } from './0001-schema/grants-and-tokens.ts';
import { history } from './0001-schema/history.ts';
import { people } from './0001-schema/people.ts';
import { registeredRecords } from './0001-schema/registered-records.ts';
import { work } from './0001-schema/work.ts';
import type { Migration } from './migration.ts';

/** All tables of the first release. */
export const schema: Migration = {
  summary: 'makes all tables of the first release',
  async up(db, types) {
    await registeredRecords(db, types);
    await grantsAndTokens(db, types);
    await people(db, types);
    await history(db, types);
    await work(db, types);
  },
};
