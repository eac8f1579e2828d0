import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/** Which process does a background work, so that of all nodes one does it at a time. */
export interface LeaseStore {
  /**
   * Takes the lease, or renews it, until `now + duration`. Decided by one statement. `false` while another holder has it:
   * one whose lease is not over. A lease that would last longer than `duration` was taken by a clock that was wrong, and
   * is taken over.
   *
   * @param now epoch milliseconds
   * @param duration milliseconds
   */
  take(name: string, holder: string, now: number, duration: number): Promise<boolean>;
  /** Ends the lease, if the holder has it. */
  release(name: string, holder: string): Promise<void>;
}

export function sqlLeases(db: Kysely<Schema>): LeaseStore {
  return {
    async take(name, holder, now, duration) {
      const taken = await db
        .insertInto('lease')
        .values({ lease_name: name, holder, expires: now + duration })
        .onConflict((conflict) =>
          conflict
            .column('lease_name')
            .doUpdateSet({ holder, expires: now + duration })
            .where((lease) =>
              lease.or([
                lease('lease.holder', '=', holder),
                lease('lease.expires', '<=', now),
                lease('lease.expires', '>', now + duration),
              ]),
            ),
        )
        .returning('lease_name')
        .executeTakeFirst();
      return taken !== undefined;
    },

    async release(name, holder) {
      await db.deleteFrom('lease').where('lease_name', '=', name).where('holder', '=', holder).execute();
    },
  };
}
