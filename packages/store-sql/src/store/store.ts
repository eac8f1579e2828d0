import type { Clock, DigestKeyStore, Registry, Stores } from '@watchword/protocol';
import type { EndedByRestore } from '../purge/issued.ts';
import type { ExpiryBounds } from '../purge/lag.ts';
import type { EpochOptions } from '../purge/new-epoch.ts';
import type { PurgeOptions, PurgeReport } from '../purge/purge.ts';
import type { RegistryStatistics } from '../records/memory-registry.ts';
import type { InstallationDefault } from '../schema/work-tables.ts';
import type { LeaseStore } from '../work/leases.ts';
import type { NodeQuestions } from '../work/node-questions.ts';
import type { LoginEvent, PrimaryEvent } from './database-events.ts';

/** The database, for any process. */
export interface Store extends Stores {
  /** The time that all processes on the database share. */
  readonly clock: Clock;
  readonly digestKey: DigestKeyStore;
  readonly leases: LeaseStore;
  readonly nodeQuestions: NodeQuestions;
  /** The value of a setting with which the database began, if the operator sets none. `undefined`: it has the default of every release. */
  installationDefault(setting: InstallationDefault): Promise<string | undefined>;
  /** Whether rows are on several machines, found by the shard that their id names. */
  readonly isDistributed: boolean;
  purge(options: PurgeOptions): Promise<PurgeReport>;
  /** Milliseconds since the oldest row should have been removed that has expired; 0 = no row should. */
  purgeLag(bounds: ExpiryBounds): Promise<number>;
  /** Ends what can have ended since the backup from which the database was restored. No server must run meanwhile. */
  beginEpoch(options: EpochOptions): Promise<EndedByRestore>;
  /** Does the work while no server uses the database. @throws DatabaseOpenError if a server uses it */
  withoutServers<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Finishes the current writes and closes the database. */
  close(): Promise<void>;
}

/** The database, for the server. */
export interface ServerStore extends Store {
  readonly registry: Registry;
  /** Migrations that were applied on opening. */
  readonly migrated: readonly string[];
  registryStatistics(): RegistryStatistics;
  /** Reports when the clock of the database jumps. Absent if the clock is that of this machine. */
  readonly watchClock?: ((report: (jump: ClockJump) => void) => void) | undefined;
  /** Reports when the role and password of the database change, and why they cannot. Absent if the database is a file. */
  readonly watchLogin?: ((report: (event: LoginEvent) => void) => void) | undefined;
  /** Reads the file with the URL of the database again, and uses its role and password if the database accepts them. It never rejects. */
  readonly readLoginAgain?: (() => Promise<void>) | undefined;
  /** The server that is written to. Absent if the database is a file. */
  readonly primary?: PrimaryServer | undefined;
  /** Connections to the database by their use. Absent if the dialect has no pool of them. */
  readonly connections?: (() => Readonly<Record<string, ConnectionCounts>>) | undefined;
  /**
   * Returns what is wrong with the database server, in sentences with advice: rights, limits, settings. Absent if the database is a file.
   *
   * @param onError called with the error of each check that cannot be made
   */
  readonly advise?: ((onError: (error: unknown) => void) => Promise<readonly string[]>) | undefined;
  /** Applies changes of other processes until the store is closed. */
  watchRegistry(onError: (error: unknown) => void): void;
  /**
   * Applies the changes that all processes committed before the call. Resolves with whether there were any.
   *
   * @throws StoreUnavailableError
   */
  refreshRegistry(): Promise<boolean>;
  /**
   * Calls `read` after each change that {@link Store.transact} of any process made. {@link refreshRegistry} waits for it, and so
   * does {@link recordsAreCurrent}: while it rejects, the records in memory are not current.
   */
  followChanges(read: () => Promise<void>): void;
  /**
   * Whether the registered records in memory have every change that was committed 600 ms ago. They nearly always have. They do
   * not while the database does not answer, and when this process was stopped for a moment.
   */
  recordsAreCurrent(): boolean;
  /** Resolves when writes can be made durable; rejects with the reason if they cannot, or if damage was found. */
  check(): Promise<void>;
  /**
   * Reads the whole database in a separate process, which is ended if it takes too long. `undefined` if the dialect has no such
   * search for damage.
   */
  readonly examine: ((signal: AbortSignal) => Promise<Examination>) | undefined;
  /**
   * Counts the access tokens that have not expired, among them those of revoked grants that the purge has not removed yet.
   * It reads whole indexes, in small parts: the caller keeps the result for some time.
   */
  countActiveTokens(now: number, signal: AbortSignal): Promise<number>;
  /** Bytes of the database on the disk. */
  size(): Promise<number>;
  /** Bytes that are free on that disk; `undefined` if the dialect cannot tell. */
  free(): Promise<number | undefined>;
}

/** Of several servers of one database, the one that accepts writes. */
export interface PrimaryServer {
  /** Reports that another server has become the primary, that none is used because two accept writes, and that one is again. */
  watch(report: (event: PrimaryEvent) => void): void;
  /** Why none is used. */
  problem(): string | undefined;
  /** Asks all hosts which of them accept writes. */
  look(): Promise<void>;
}

export interface ConnectionCounts {
  readonly busy: number;
  readonly idle: number;
  readonly limit: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
  /** Callers that got none in time, since the start. */
  readonly timedOut: number;
}

/** The clock of the database was far from the time of this process. */
export interface ClockJump {
  /** Milliseconds by which the clock of the database was ahead. */
  readonly ahead: number;
  /** `false` if the process keeps its own time, because the clock of its machine agrees with that. */
  readonly isFollowed: boolean;
  /** The difference from the clock of the machine, when the process started. */
  readonly isAtStart?: boolean;
}

/** The result of an examination of the database. */
export interface Examination {
  readonly outcome: 'sound' | 'damaged' | 'unfinished';
  /** The damage in the words of SQLite, or the reason why the examination did not finish. */
  readonly findings: readonly string[];
}

/** The result of a check by the command line. */
export interface DatabaseCheck {
  /** What was checked, in words. */
  readonly checked: readonly string[];
  /** What is wrong: damage in the words of SQLite, or what keeps servers from working on PostgreSQL. */
  readonly findings: readonly string[];
  /** What does not keep servers from working, with advice. */
  readonly warnings: readonly string[];
}
