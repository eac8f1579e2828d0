import { execFile } from 'node:child_process';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../free-port.ts';
import { copyDirectory } from './copy-directory.ts';
import { type Databases, databasesOf } from './databases.ts';
import { type Installation, installPostgresql, makeData } from './installation.ts';
import { type Postmaster, startPostmaster } from './postmaster.ts';
import { query, type Row } from './query.ts';
import { canEnter, type RunAs, temporaryDirectories } from './run-as.ts';

/** A PostgreSQL server of one test, which can break it; stopped and removed at its end. */
export interface PostgresqlServer extends Databases, AsyncDisposable {
  readonly port: number;
  readonly dataDirectory: string;
  /** The process whose children are the processes of the server. */
  readonly processId: number;
  readonly isRunning: boolean;
  /** The end of its log. */
  log(): string;
  /** Runs a statement as the superuser. */
  query(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** `fast` ends connections and writes everything to disk; `immediate` ends as a crash does. */
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  /** Kills all its processes with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again on its port, after a fast stop if it runs. */
  restart(): Promise<void>;
  /** Makes a standby the primary. Resolves when it accepts writes. */
  promote(): Promise<void>;
  /** Lets this process end while the server runs; the server then ends too. */
  unref(): void;
}

export interface PostgresqlOptions {
  /** Parameters of `postgresql.conf`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Data of a server that does not run. The server owns it and removes it. Without it, there is a new directory. */
  readonly dataDirectory?: string;
  /** Leaves the data where they are when the server ends, written to disk. */
  readonly keepsData?: boolean;
  readonly port?: number;
}

/**
 * What dies in a test is a process, which loses nothing that it gave to the kernel: `fsync` serves only for a machine that
 * dies.
 */
const defaults = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  io_method: 'sync',
  // In its directory: a server that is killed leaves nothing elsewhere.
  dynamic_shared_memory_type: 'mmap',
  // Only what the server does, not the errors of statements: callers get those.
  log_min_messages: 'log',
};

let installation: Promise<Installation> | undefined;

/** Programs and data, made once for a process. */
export function installed(): Promise<Installation> {
  installation ??= installPostgresql();
  return installation;
}

/** Starts a server. It takes about 0.2 s, and 1 s more the first time after an install. */
export async function startPostgresql(options: PostgresqlOptions = {}): Promise<PostgresqlServer> {
  const from = await installed();
  const dataDirectory = options.dataDirectory ?? (await newDataDirectory(from));
  const settings = { ...defaults, ...options.settings };
  const keepsData = options.keepsData ?? false;
  const startOn = (port: number) =>
    startPostmaster(from, dataDirectory, { ...settings, port: String(port) }, keepsData);
  const started = await startOnFreePort(startOn, options.port).catch(async (error: unknown) => {
    if (!keepsData) await rm(dataDirectory, { recursive: true });
    throw error;
  });
  const { port } = started;
  let { postmaster } = started;
  const databases = databasesOf(`postgres://postgres:${from.password}@127.0.0.1:${port}`);
  const stop = async (mode: 'fast' | 'immediate') => {
    if (postmaster.isRunning) await postmaster.end(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
  };
  return {
    ...databases,
    port,
    dataDirectory,
    get processId() {
      return postmaster.processId;
    },
    get isRunning() {
      return postmaster.isRunning;
    },
    log: () => postmaster.log(),
    query: (text, values) => query(databases.url(), text, values),
    stop,
    kill: () => postmaster.kill(),
    async restart() {
      await stop('fast');
      postmaster = await startOn(port);
    },
    async promote() {
      await runProgram(from, 'pg_ctl', ['promote', '-D', dataDirectory]);
    },
    unref: () => postmaster.unref(),
    async [Symbol.asyncDispose]() {
      await stop(keepsData ? 'fast' : 'immediate');
      if (!keepsData) await rm(dataDirectory, { recursive: true });
    },
  };
}

/** PostgreSQL cannot choose a port itself, so another process can take a free one before it does. */
async function startOnFreePort(
  startOn: (port: number) => Promise<Postmaster>,
  given: number | undefined,
): Promise<{ port: number; postmaster: Postmaster }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = given ?? (await freePort());
    try {
      return { port, postmaster: await startOn(port) };
    } catch (error) {
      if (given !== undefined || attempt === 5 || !/could not bind/.test(String(error))) throw error;
    }
  }
}

/** A directory that the user can write to and nobody else can enter. */
export async function emptyDataDirectory({ runAs }: Installation): Promise<string> {
  const directory = await mkdtemp(join(await placeFor(runAs), 'watchword-postgresql-'));
  if (runAs.uid !== undefined && runAs.gid !== undefined) await chown(directory, runAs.uid, runAs.gid);
  return directory;
}

/** Makes data in a new directory, as `initdb` makes them without options. The user of the server must be able to enter its parent. */
export async function makeDataDirectory(directory: string): Promise<void> {
  const from = await installed();
  await makeData(from, directory, from.password);
}

async function newDataDirectory(from: Installation): Promise<string> {
  const directory = await emptyDataDirectory(from);
  await copyDirectory(from.data, directory, dataAccess(from));
  return directory;
}

export function dataAccess({ runAs }: Installation) {
  return { modes: { directory: 0o700, file: 0o600 }, owner: runAs };
}

async function placeFor(user: RunAs): Promise<string> {
  for (const directory of temporaryDirectories()) if (await canEnter(user, directory)) return directory;
  throw new Error(`The user ${user.uid} can enter none of ${temporaryDirectories().join(', ')}.`);
}

async function runProgram(from: Installation, name: string, args: readonly string[]): Promise<void> {
  await promisify(execFile)(join(from.programs, name), args, { ...from.runAs, cwd: '/', env: {} });
}
