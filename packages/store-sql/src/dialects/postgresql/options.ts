import type { Clock } from '@watchword/protocol';
import type { HotObserver } from '../../hot/batch-spans.ts';

/** How PostgreSQL is used. Times are in milliseconds. */
export interface PostgresqlSettings {
  /** File that the URL came from. It is read again when the server refuses the login. */
  readonly urlFile?: string | undefined;
  /** Processes of the server. Each has its own connections. */
  readonly processes: number;
  /** Connections for the work of requests, of each process. */
  readonly connections: number;
  /** Connections for all other work, such as administration and purge, of each process. */
  readonly otherConnections: number;
  readonly connectTimeout: number;
  readonly statementTimeout: number;
  readonly lockTimeout: number;
  /** `false` for a pooler that gives each transaction another connection. */
  readonly preparedStatements: boolean;
  /** URL of a direct connection for LISTEN. */
  readonly listen?: string | undefined;
}

export interface PostgresqlOptions {
  readonly url: string;
  readonly settings?: Partial<PostgresqlSettings> | undefined;
  readonly clock: Clock;
  /**
   * Whether the clock is that of this machine. PostgreSQL then corrects it by its own clock, which all processes on the database
   * share. Default: no.
   */
  readonly isMachineClock?: boolean | undefined;
  /** Called with the number of writes of each commit. */
  readonly onCommit?: ((batchSize: number) => void) | undefined;
  readonly observer?: HotObserver | undefined;
  /** Of a server: its release, by which its connections are named. */
  readonly release?: string | undefined;
}

const defaultSettings: PostgresqlSettings = {
  processes: 1,
  connections: 4,
  otherConnections: 4,
  connectTimeout: 5000,
  statementTimeout: 30_000,
  lockTimeout: 5000,
  preparedStatements: true,
};

/** The settings, with defaults for those that are not given. */
export function settingsOf({ settings = {} }: Pick<PostgresqlOptions, 'settings'>): PostgresqlSettings {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return { ...defaultSettings, ...Object.fromEntries(given) };
}
