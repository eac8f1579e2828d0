import type { ConnectionEvents } from './connection.ts';
import { Hosts } from './hosts.ts';
import { parseUrl } from './url.ts';

export interface DirectOptions extends ConnectionEvents {
  readonly url: string;
  readonly applicationName: string;
  /** Milliseconds. */
  readonly connectTimeout: number;
}

/** A connection apart from the pools. */
export interface DirectConnection {
  /** Runs a statement without parameters. @throws PostgresqlError */
  run(text: string): Promise<void>;
  close(): Promise<void>;
}

// Milliseconds. Statements of such a connection, such as LISTEN, wait for nothing.
const statementTimeout = 5000;

/** Opens a connection for what needs a session of its own, such as LISTEN. @throws DatabaseOpenError, NoHostError */
export async function openDirect({
  url,
  applicationName,
  connectTimeout,
  ...events
}: DirectOptions): Promise<DirectConnection> {
  const hosts = new Hosts({
    url: parseUrl(url),
    applicationName,
    connectTimeout,
    statementTimeout,
    lockTimeout: statementTimeout,
    idleTimeout: statementTimeout,
    preparedStatements: true,
  });
  const connection = await hosts.connect(events);
  return {
    run: async (text) => {
      await connection.pipeline([{ text, values: [] }]);
    },
    close: () => connection.close(),
  };
}
