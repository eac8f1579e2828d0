import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/** Stores which process does a background work, so that only one node does it at a time. */
export interface LeaseStore {
  /**
   * Takes or renews the lease until `now + duration`. One statement decides. `false` while another holder has a lease that has
   * not expired. A lease that would last longer than `duration` is from a wrong clock, and is taken over.
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
