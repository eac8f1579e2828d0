import { sql } from 'kysely';
import type { Check } from './check.ts';
import { settingsOfServer } from './configuration.ts';

/** Whether the connections that one server can open are free. */
export const connections: Check = async ({ db, settings }) => {
  const { max_connections: most, superuser_reserved_connections: reserved } = await settingsOfServer(
    db,
    'max_connections',
    'superuser_reserved_connections',
  );
  // An engine that has no such limit.
  if (most === 'unknown') return { checked: 'max_connections unknown' };
  const { rows } = await sql<{ used: number }>`
    select count(*) as used from pg_stat_activity where backend_type = 'client backend'`.execute(db);
  const used = Number(rows[0]?.used);
  const free = Number(most) - Number(reserved) - used;
  const needed = settings.connections + settings.otherConnections;
  return {
    checked: `connections (${used} of ${most} in use, a server process opens up to ${needed})`,
    warnings:
      free >= needed
        ? []
        : [
            `${Math.max(free, 0)} connections are free, and a server process opens up to ${needed}. Raise max_connections, lower postgresql.connections and postgresql.otherConnections, or use a connection pooler.`,
          ],
  };
};

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
