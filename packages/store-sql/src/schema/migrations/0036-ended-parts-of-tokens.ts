import type { Migration } from './migration.ts';

/** To a node of the release before, a token that has ended at some resource servers has ended at all. */
export const endedPartsOfTokens: Migration = {
  summary: 'adds the resource servers at which a JWT has ended',
  async up(db, types) {
    await db.schema.alterTable('revoked_token').addColumn('ended_at_servers', types.text).execute();
  },
};
