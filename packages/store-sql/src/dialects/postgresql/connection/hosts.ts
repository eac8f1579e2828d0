import { DatabaseOpenError } from '../../../schema/database-open-error.ts';
import type { Primary } from '../../../store/database-events.ts';
import { type ConnectOptions, connect } from './connect.ts';
import { type ConnectionEvents, type ConnectionOptions, PostgresqlConnection } from './connection.ts';
import { type Login, Logins } from './logins.ts';
import { type PostgresqlError, toPostgresqlError } from './postgresql-error.ts';
import type { Primaries } from './primaries.ts';
import { isRefusedLogin } from './sql-state.ts';
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

export type HostsOptions = Omit<ConnectOptions, 'host'> &
  ConnectionOptions & {
    /** As whom to connect. Default: as the URL says, for ever. */
    readonly logins?: Logins;
    /** Which servers may be used. Default: each that is wanted. */
    readonly primaries?: Primaries | undefined;
  };

// Milliseconds. A host that does not say so sooner does not count as one that accepts writes.
const askTimeout = 1000;

/** Finds the host of a URL that is wanted, which can be another one after a failover. */
export class Hosts {
  readonly #options: HostsOptions;
  readonly #logins: Logins;
  readonly #loginOf = new WeakMap<PostgresqlConnection, Login>();
  /** The host that was found last comes first. */
  #order: readonly Host[];

  constructor(options: HostsOptions) {
    this.#options = options;
    this.#logins = options.logins ?? new Logins(options.url);
    this.#order = options.url.hosts;
  }

  /** @param outdated called when connections that are open must not be used any more */
  onOutdated(outdated: () => void): void {
    this.#logins.onRenewal(outdated);
    this.#options.primaries?.onStop(outdated);
  }

  /** Whether the connection was opened with a login that another one has replaced, or no server may be used. */
  isOutdated(connection: PostgresqlConnection): boolean {
    const isStopped = this.#options.primaries?.problem !== undefined;
    return isStopped || this.#loginOf.get(connection) !== this.#logins.current;
  }

  /** Asks every host whether it accepts writes, as {@link Primaries.look} needs it. */
  async lookForPrimaries(): Promise<void> {
    await this.#options.primaries?.look(() => this.#primariesNow());
  }

  /** Reads the login again. Another one is used from now on if a wanted host accepts it. */
  readLoginAgain(): Promise<void> {
    return this.#logins.readAgain(async (login) => {
      const { logins: _, primaries: __, url, ...options } = this.#options;
      const hosts = new Hosts({ ...options, url: { ...url, ...login } });
      await (await hosts.connect()).close();
    });
  }

  /** Opens a connection to the first host that is wanted. @throws NoHostError, SplitBrainError, DatabaseOpenError */
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
        this.#logins.works();
        await this.#admit(host, found);
        this.#order = [host, ...this.#order.filter((other) => other !== host)];
        return found;
      }
    }
    if (failures.some(isRefused)) this.#logins.refused();
    throw new NoHostError(failures, targetSession);
  }

  async #admit(host: Host, connection: PostgresqlConnection): Promise<void> {
    const { primaries } = this.#options;
    const found = primaries && (await primaryOf(host, connection));
    if (primaries === undefined || found === undefined) return;
    try {
      await primaries.admit(found, () => this.#primariesNow());
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** Every host that accepts writes now, each asked over a connection of its own. */
  async #primariesNow(): Promise<Primary[]> {
    const { url, connectTimeout } = this.#options;
    if (url.hosts.length === 1) return [];
    // To go on is worth a longer wait for the other one.
    const isStopped = this.#options.primaries?.problem !== undefined;
    const patience = isStopped ? connectTimeout : Math.min(connectTimeout, askTimeout);
    const options = { ...this.#options, connectTimeout: patience };
    const found = await Promise.all(
      url.hosts.map(async (host) => {
        let connection: PostgresqlConnection | undefined;
        try {
          const client = await connect({ ...options, url: { ...url, ...this.#logins.current }, host });
          connection = new PostgresqlConnection(client, options);
          const isPrimary = isWanted(await stateOf(connection), 'read-write');
          return isPrimary ? await primaryOf(host, connection) : undefined;
        } catch {
          return undefined;
        } finally {
          await connection?.close();
        }
      }),
    );
    return found.filter((each) => each !== undefined);
  }

  /** With the login in use, and if it is refused, with the one that has replaced it meanwhile. */
  async #tryHost(
    host: Host,
    target: TargetSession,
    events: ConnectionEvents | undefined,
  ): Promise<PostgresqlConnection | HostFailure> {
    const login = this.#logins.current;
    const found = await this.#tryLogin(login, host, target, events);
    if (!isRefused(found)) return found;
    const other = await this.#logins.otherThan(login);
    if (other === undefined) return found;
    const again = await this.#tryLogin(other, host, target, events);
    if (again instanceof PostgresqlConnection) this.#logins.accepted(other);
    return again;
  }

  async #tryLogin(
    login: Login,
    host: Host,
    target: TargetSession,
    events: ConnectionEvents | undefined,
  ): Promise<PostgresqlConnection | HostFailure> {
    let connection: PostgresqlConnection | undefined;
    try {
      const url = { ...this.#options.url, ...login };
      const client = await connect({ ...this.#options, url, host });
      connection = new PostgresqlConnection(client, this.#options, events);
      this.#loginOf.set(connection, login);
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

function isRefused(found: PostgresqlConnection | HostFailure): boolean {
  if (found instanceof PostgresqlConnection) return false;
  return found.error?.code !== undefined && isRefusedLogin(found.error.code);
}

/** `undefined` for a standby, and on an engine that does not describe itself in this way. */
async function primaryOf(host: Host, connection: PostgresqlConnection): Promise<Primary | undefined> {
  try {
    const [answer] = await connection.pipeline([{ text: selfDescription, values: [] }]);
    const [system, startedAt, timeline] = answer?.rows[0] ?? [];
    if (timeline === null) return undefined;
    return {
      host: shownHost(host),
      system: String(system),
      startedAt: String(startedAt),
      timeline: Number(timeline),
    };
  } catch {
    await connection.reset();
    return undefined;
  }
}

// The timeline of the last checkpoint is still the former one after a promotion; the name of the file that is written is not.
const selfDescription = `select (select system_identifier::text from pg_control_system()),
  extract(epoch from pg_postmaster_start_time())::text,
  case when pg_is_in_recovery() then null
    else ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::integer end`;

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
