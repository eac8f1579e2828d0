import { nodeClockTolerance } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import type { Schema } from '../schema/schema.ts';

/** Stores which process does a background work, so that only one node does it at a time. */
export interface LeaseStore {
  /**
   * Takes or renews the lease until `now + duration`. One statement decides. `false` while another holder has a lease that has
   * not expired. A lease that would last longer than `duration`, and than the clocks of nodes can differ, is from a wrong
   * clock, and is taken over.
   *
   * @param now epoch milliseconds
   * @param duration milliseconds
   */
  take(name: string, holder: string, now: number, duration: number): Promise<boolean>;
  /** Ends the lease, if the holder has it. @param succeeded epoch milliseconds, if the work was done without an error */
  release(name: string, holder: string, succeeded?: number): Promise<void>;
  /** The leases that were taken since the database was made or restored. */
  list(): Promise<LeaseState[]>;
}

export interface LeaseState {
  readonly name: string;
  /** Epoch milliseconds; in the past if no process has the lease. */
  readonly expires: number;
  /** Epoch milliseconds: when the work was last done without an error; `undefined` if it never was. */
  readonly lastSuccess: number | undefined;
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
                lease('lease.expires', '>', now + duration + nodeClockTolerance),
              ]),
            ),
        )
        .returning('lease_name')
        .executeTakeFirst();
      return taken !== undefined;
    },

    async release(name, holder, succeeded) {
      await db
        .updateTable('lease')
        .set({ expires: 0, ...(succeeded !== undefined && { last_success: succeeded }) })
        .where('lease_name', '=', name)
        .where('holder', '=', holder)
        .execute();
    },

    async list() {
      const rows = await db.selectFrom('lease').select(['lease_name', 'expires', 'last_success']).execute();
      return rows.map(({ lease_name, expires, last_success }) => ({
        name: lease_name,
        expires,
        lastSuccess: last_success ?? undefined,
      }));
    },
  };
}
