import type { Migration } from './migration.ts';

/**
 * Access tokens have had a confirmation from the beginning. A node of the release before stores neither column, and binds nothing: clients send
 * proofs when the metadata say so, which all nodes do after the upgrade.
 */
export const boundCodes: Migration = {
  summary: 'adds the keys to which authorization codes and refresh tokens are bound (DPoP)',
  async up(db, types) {
    await db.schema.alterTable('authorization_code').addColumn('dpop_jkt', types.text).execute();
    await db.schema.alterTable('refresh_token').addColumn('confirmation', types.text).execute();
  },
};
