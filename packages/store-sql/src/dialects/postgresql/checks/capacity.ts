import { sql } from 'kysely';
import type { Check } from './check.ts';

// The clocks of nodes can differ by two seconds without harm.
const clockDifference = 2000;

export const clockOfDatabase: Check = async ({ db, clock }) => {
  const before = clock.now();
  const { rows } = await sql<{ now: number }>`
    select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now`.execute(db);
  const after = clock.now();
  const now = Number(rows[0]?.now);
  // The database read its clock at some time in between.
  const difference = Math.round(now > after ? now - after : Math.min(0, now - before));
  return {
    checked: `clock (${Math.abs(difference)} ms from that of this machine)`,
    warnings:
      Math.abs(difference) <= clockDifference
        ? []
        : [
            `The clock of the database is ${Math.abs(difference)} ms ${difference > 0 ? 'ahead of' : 'behind'} the clock of this machine. Synchronize the clocks of all machines by NTP.`,
          ],
  };
};

// PostgreSQL stops writes at about 2.1 thousand million, and begins to warn 40 million before.
const mostTransactions = 1_500_000_000;

export const transactionAge: Check = async ({ db }) => {
  const { rows } = await sql<{ age: number }>`
    select age(datfrozenxid) as age from pg_database where datname = current_database()`.execute(db);
  const age = Number(rows[0]?.age ?? 0);
  return {
    checked: `oldest transaction id (${age} transactions old)`,
    warnings:
      age < mostTransactions
        ? []
        : [
            `The oldest transaction id is ${age} transactions old, and PostgreSQL stops all writes at about 2100000000. Find out what keeps autovacuum from its work, such as an old transaction or replication slot, and run VACUUM.`,
          ],
  };
};
