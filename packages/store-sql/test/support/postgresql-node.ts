import { randomUUID } from 'node:crypto';
import { copyMigrated } from '@watchword/server-testkit/database-template';
import { databaseFor, dropDatabases } from '@watchword/server-testkit/engine';
import { query, type Row, withConnection } from '@watchword/testkit/postgresql';
import type { Session, SessionPool } from '../../src/dialects/postgresql/connection/session.ts';
import { parseUrl } from '../../src/dialects/postgresql/connection/url.ts';
import { postgresqlHotWork } from '../../src/dialects/postgresql/hot/hot-work.ts';
import { servingPools } from '../../src/dialects/postgresql/pools.ts';
import type { HotWork } from '../../src/hot/hot-work.ts';

/** A migrated database of PostgreSQL for one test, and nodes on it. */
export interface PostgresqlNodes extends AsyncDisposable {
  readonly url: string;
  /** Another node on the database. @param url another way to it */
  node(url?: string): Node;
  /** Runs a statement on a connection apart from the nodes. */
  sql(text: string): Promise<Row[]>;
  /** Keeps others from changing the table while the work runs. */
  locked(table: string, work: () => Promise<unknown>): Promise<void>;
}

/** Hot work of a process. */
export interface Node extends Omit<HotWork, 'changesSince'> {
  /** The texts of each round trip so far. */
  readonly roundTrips: readonly (readonly string[])[];
}

export async function postgresqlNodes(): Promise<PostgresqlNodes> {
  const file = `nodes-${randomUUID()}`;
  await copyMigrated(file, 'postgresql');
  const database = await databaseFor(file, 'postgresql');
  const opened: (() => Promise<unknown>)[] = [];
  return {
    url: database,
    node(url = database) {
      const { hot, other } = servingPools({ url: parseUrl(url) }, {}, 'test');
      opened.push(() => Promise.all([hot.close(), other.close()]));
      const roundTrips: string[][] = [];
      const options = { connections: 4, changesSince: async () => undefined, onCommit: () => {} };
      return { ...postgresqlHotWork(recorded(hot, roundTrips), options), roundTrips };
    },
    sql: (text) => query(database, text),
    locked: (table, work) =>
      withConnection(database, async (client) => {
        await client.query(`begin; lock table ${table} in exclusive mode`);
        await work();
        await client.query('commit');
      }),
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((close) => close()));
      await dropDatabases(file);
    },
  };
}

function recorded(pool: SessionPool, roundTrips: string[][]): SessionPool {
  return {
    use: (work) =>
      pool.use((session) => {
        const recording: Session = {
          begin: (access) => session.begin(access),
          pipeline(queries) {
            roundTrips.push(queries.map(({ text }) => text));
            return session.pipeline(queries);
          },
        };
        return work(recording);
      }),
  };
}
