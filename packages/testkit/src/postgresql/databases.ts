import { randomUUID } from 'node:crypto';
import { keptConnection, withConnection } from './query.ts';

/** A database for one test; dropped at its end. */
export interface PostgresqlDatabase extends AsyncDisposable {
  readonly name: string;
  /** For the superuser, with the password. */
  readonly url: string;
  /** Drops it, with the connections that are open to it. */
  drop(): Promise<void>;
}

/** The databases of a server. */
export interface Databases {
  /** The URL of a database, for the superuser. */
  url(database?: string): string;
  /** Makes an empty database, or a copy of the one that {@link template} has made. */
  createDatabase(template?: string): Promise<PostgresqlDatabase>;
  /**
   * Makes a database that is only copied, once for a server, also when several processes want it. `fill` gets its URL and
   * leaves no connection open.
   *
   * @param from the template that it begins as; an empty database without it
   * @returns its name, for {@link createDatabase}
   */
  template(name: string, fill: (url: string) => Promise<unknown>, from?: string): Promise<string>;
}

/** @param server its URL without a database */
export function databasesOf(server: string): Databases {
  const url = (database = 'postgres') => `${server}/${database}`;
  const run = keptConnection(url());
  return {
    url,
    async createDatabase(template = 'template0') {
      const name = `test_${randomUUID().replaceAll('-', '')}`;
      // Copying files takes half the processor time of writing them to the log.
      await run(`create database ${name} template ${template} strategy file_copy`);
      const drop = () => run(`drop database if exists ${name} with (force)`);
      return { name, url: url(name), drop, [Symbol.asyncDispose]: drop };
    },
    template: (name, fill, from = 'template0') =>
      withConnection(url(), async (client) => {
        const database = `template_${name}`;
        // Held until the connection ends: other processes wait here.
        await client.query('select pg_advisory_lock(hashtext($1))', [database]);
        const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database]);
        if (rowCount === 1) return database;
        // A process that is killed leaves another name behind.
        const unfinished = `${database}_${randomUUID().replaceAll('-', '')}`;
        await client.query(`create database ${unfinished} template ${from} strategy file_copy`);
        await fill(url(unfinished));
        await client.query(`alter database ${unfinished} rename to ${database}`);
        return database;
      }),
  };
}
