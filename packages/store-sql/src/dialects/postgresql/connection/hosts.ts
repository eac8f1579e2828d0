import { DatabaseOpenError } from '../../../database-open-error.ts';
import { type ConnectOptions, connect } from './connect.ts';
import { type ConnectionEvents, type ConnectionOptions, PostgresqlConnection } from './connection.ts';
import { type PostgresqlError, toPostgresqlError } from './postgresql-error.ts';
import { type Host, shownHost } from './url.ts';
import type { TargetSession } from './url-parameters.ts';

/** Why a host cannot be used. */
export interface HostFailure {
  readonly host: Host;
  /** `undefined` if it was reached, and is no server of the wanted kind. */
  readonly error: PostgresqlError | undefined;
}

/** None of the hosts can be used. */
export class NoHostError extends Error {
  override readonly name = 'NoHostError';
  readonly failures: readonly HostFailure[];

  constructor(failures: readonly HostFailure[], target: TargetSession) {
    const reasons = failures.map(
      ({ host, error }) => `${shownHost(host)}: ${error === undefined ? unwanted[target] : textOf(error)}`,
    );
    super(`no server can be used: ${reasons.join('; ')}`);
    this.failures = failures;
  }
}

/** What a host is that was reached and is not wanted. */
const unwanted: Readonly<Record<TargetSession, string>> = {
  'read-write': 'accepts no writes',
  'read-only': 'accepts writes',
  primary: 'is a standby',
  standby: 'is no standby',
  'prefer-standby': 'is no standby',
  any: 'cannot be used',
};

function textOf({ message, code }: PostgresqlError): string {
  return code === undefined ? message : `${message}, ${code}`;
}

interface ServerState {
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
}

type HostsOptions = Omit<ConnectOptions, 'host'> & ConnectionOptions;

/** Finds the host of a URL that is wanted, which can be another one after a failover. */
export class Hosts {
  readonly #options: HostsOptions;
  /** The host that was found last comes first. */
  #order: readonly Host[];

  constructor(options: HostsOptions) {
    this.#options = options;
    this.#order = options.url.hosts;
  }

  /** Opens a connection to the first host that is wanted. @throws NoHostError, DatabaseOpenError */
  async connect(events?: ConnectionEvents): Promise<PostgresqlConnection> {
    const { targetSession } = this.#options.url;
    const failures: HostFailure[] = [];
    const targets = targetSession === 'prefer-standby' ? (['standby', 'any'] as const) : [targetSession];
    for (const target of targets) {
      for (const host of this.#order) {
        const found = await this.#tryHost(host, target, events);
        if (!(found instanceof PostgresqlConnection)) {
          failures.push(found);
          continue;
        }
        this.#order = [host, ...this.#order.filter((other) => other !== host)];
        return found;
      }
    }
    throw new NoHostError(failures, targetSession);
  }

  async #tryHost(
    host: Host,
    target: TargetSession,
    events: ConnectionEvents | undefined,
  ): Promise<PostgresqlConnection | HostFailure> {
    let connection: PostgresqlConnection | undefined;
    try {
      const client = await connect({ ...this.#options, host });
      connection = new PostgresqlConnection(client, this.#options, events);
      if (isWanted(await stateOf(connection), target)) {
        await connection.prepareSession();
        return connection;
      }
      await connection.close();
      return { host, error: undefined };
    } catch (error) {
      await connection?.close();
      // The error of a file that the URL names. No host is better.
      if (error instanceof DatabaseOpenError) throw error;
      return { host, error: toPostgresqlError(error) };
    }
  }
}

async function stateOf(connection: PostgresqlConnection): Promise<ServerState> {
  const [answer] = await connection.pipeline([
    { text: `select pg_is_in_recovery(), current_setting('transaction_read_only') = 'on'`, values: [] },
  ]);
  const [isStandby, isReadOnly] = answer?.rows[0] ?? [];
  return { isStandby: isStandby === true, isReadOnly: isReadOnly === true };
}

function isWanted({ isStandby, isReadOnly }: ServerState, target: TargetSession): boolean {
  switch (target) {
    case 'read-write':
      return !isStandby && !isReadOnly;
    case 'read-only':
      return isStandby || isReadOnly;
    case 'primary':
      return !isStandby;
    case 'standby':
      return isStandby;
    default:
      return true;
  }
}
