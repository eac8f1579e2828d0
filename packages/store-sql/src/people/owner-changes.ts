import { nodeClockTolerance, type OwnerChangeStore } from '@watchword/protocol';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema/schema.ts';

export function sqlOwnerChanges(db: Kysely<Schema>): OwnerChangeStore {
  return {
    count: ({ identityProvider, name }, now, duration) => {
      // A count that another node began can begin later. If the clock was set back, a count must not last for hours.
      const latest = now + nodeClockTolerance;
      const goesOn = sql<boolean>`(owner_change.window_start between ${now - duration + 1} and ${latest})`;
      return db
        .insertInto('owner_change')
        .values({ identity_provider: identityProvider, owner_name: name, window_start: now, changes: 1 })
        .onConflict((conflict) =>
          conflict.columns(['identity_provider', 'owner_name']).doUpdateSet({
            changes: sql<number>`case when ${goesOn} then owner_change.changes + 1 else 1 end`,
            window_start: sql<number>`case when ${goesOn} then owner_change.window_start else ${now} end`,
          }),
        )
        .returning(['changes', 'window_start as since'])
        .executeTakeFirstOrThrow();
    },
  };
}
