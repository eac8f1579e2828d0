import { randomUUID } from 'node:crypto';
import { after } from 'node:test';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { databaseFor, dropDatabases } from '@watchword/server-testkit/servers/engine';
import { connect, type Row, withConnection } from '@watchword/testkit/postgresql';
import type { Session, SessionPool } from '../../src/dialects/postgresql/connection/session.ts';
import { parseUrl } from '../../src/dialects/postgresql/connection/url.ts';
import { postgresqlHotWork } from '../../src/dialects/postgresql/hot/hot-work.ts';
import { servingPools } from '../../src/dialects/postgresql/pools.ts';
import type { HotWork } from '../../src/hot/hot-work.ts';
import { emptying } from './emptying.ts';

type Connected = Awaited<ReturnType<typeof connect>>;

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
  const { database, drop } = await migrated();
  let client: Connected | undefined;
  const connected = async () => {
    client ??= await connect(database);
    return client;
  };
  return nodesOn(database, connected, async () => {
    await client?.end();
    await drop();
  });
}

/**
 * Returns what stands for {@link postgresqlNodes} in a file whose tests do not set up their database: one database, which is emptied
 * after each test.
 */
export function sharedNodes(): () => Promise<PostgresqlNodes> {
  let shared: ReturnType<typeof open> | undefined;
  const open = async () => {
    const made = await migrated();
    return { ...made, ...(await emptying(made.database)), client: await connect(made.database) };
  };
  after(async () => {
    const made = await shared;
    await made?.[Symbol.asyncDispose]();
    await made?.client.end();
    await made?.drop();
  });
  return async () => {
    shared ??= open();
    const { database, client, empty } = await shared;
    return nodesOn(database, async () => client, empty);
  };
}

async function migrated() {
  const file = `nodes-${randomUUID()}`;
  await copyMigrated(file, 'postgresql');
  return { database: await databaseFor(file, 'postgresql'), drop: () => dropDatabases(file) };
}

/** @param connected the connection for statements of the test */
function nodesOn(
  database: string,
  connected: () => Promise<Connected>,
  atEnd: () => Promise<void>,
): PostgresqlNodes {
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
    async sql(text) {
      return (await (await connected()).query(text)).rows;
    },
    locked: (table, work) =>
      withConnection(database, async (client) => {
        await client.query(`begin; lock table ${table} in exclusive mode`);
        await work();
        await client.query('commit');
      }),
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((close) => close()));
      await atEnd();
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
