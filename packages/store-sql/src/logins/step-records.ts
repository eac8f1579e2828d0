import type { StepRecordStore } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import type { Schema } from '../schema/schema.ts';

export function sqlStepRecords(db: Kysely<Schema>): StepRecordStore {
  return {
    async find(subject, step) {
      const row = await db
        .selectFrom('step_record')
        .selectAll()
        .where('subject', '=', subject)
        .where('step_name', '=', step)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      return {
        subject,
        step,
        version: row.step_version,
        doneAt: row.done_at,
        expires: row.expires,
        ...(row.step_data !== null && { data: row.step_data }),
        owner: { identityProvider: row.identity_provider, name: row.principal_name },
      };
    },

    async save({ subject, step, version, doneAt, expires, data = null, owner }, replaces) {
      const row = {
        step_version: version,
        done_at: doneAt,
        expires,
        step_data: data,
        identity_provider: owner.identityProvider,
        principal_name: owner.name,
      };
      if (replaces === undefined) {
        const { numInsertedOrUpdatedRows = 0n } = await db
          .insertInto('step_record')
          .values({ subject, step_name: step, ...row })
          .onConflict((conflict) => conflict.columns(['subject', 'step_name']).doNothing())
          .executeTakeFirstOrThrow();
        return numInsertedOrUpdatedRows > 0n;
      }
      const { numUpdatedRows } = await db
        .updateTable('step_record')
        .set(row)
        .where('subject', '=', subject)
        .where('step_name', '=', step)
        .where('step_version', '=', replaces)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
  };
}
