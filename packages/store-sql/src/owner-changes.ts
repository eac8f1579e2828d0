import type { OwnerChangeStore } from '@watchword/protocol';
import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

export function sqlOwnerChanges(db: Kysely<Schema>): OwnerChangeStore {
  return {
    count: ({ authority, name }, now, duration) => {
      // A clock that was set back must not make a count last for hours.
      const goesOn = sql<boolean>`(owner_change.since between ${now - duration + 1} and ${now})`;
      return db
        .insertInto('owner_change')
        .values({ authority, name, since: now, changes: 1 })
        .onConflict((conflict) =>
          conflict.columns(['authority', 'name']).doUpdateSet({
            changes: sql<number>`case when ${goesOn} then owner_change.changes + 1 else 1 end`,
            since: sql<number>`case when ${goesOn} then owner_change.since else ${now} end`,
          }),
        )
        .returning(['changes', 'since'])
        .executeTakeFirstOrThrow();
    },
  };
}
