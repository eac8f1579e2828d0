import type { Migration } from './migration.ts';

/** Where a session comes from. It is empty for sessions that a node of the release before has stored. */
export const sessionDevices: Migration = {
  summary: 'adds the network address and the device of each login session',
  async up(db, types) {
    for (const column of ['source_address', 'device']) {
      await db.schema
        .alterTable('login_session')
        .addColumn(column, types.text, (definition) => definition.notNull().defaultTo(''))
        .execute();
    }
  },
};
