import { createIndex } from './create-table.ts';
import type { Migration } from './migration.ts';

/** Which rule refused a request, so that `explain` can say how to mend it, and finds the error by the id of the request. */
export const requestErrorRules: Migration = {
  summary: 'adds the broken rule to errors of requests, and finds them by the id of the request',
  async up(db, types) {
    for (const column of ['rule_name', 'expected', 'came']) {
      await db.schema.alterTable('request_error').addColumn(column, types.text).execute();
    }
    await createIndex(db, 'request_error', 'request', ['request_id']);
  },
};
