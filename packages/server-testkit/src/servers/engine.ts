import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type PostgresqlDatabase, postgresqlServer } from '@watchword/testkit/postgresql';

/** The kind of database that tests run over. */
export type Engine = 'sqlite' | 'postgresql';

/** The engine of this run: PostgreSQL in `npm run test:postgresql`, which sets the variable. */
export const engine: Engine = process.env.TEST_DATABASE === 'postgresql' ? 'postgresql' : 'sqlite';

/**
 * Options of a test or suite that only one engine can pass: `it('…', onlyOn('sqlite', 'reads the file'), async () => …)`. The
 * runner prints the reason of each test that it skips.
 */
export function onlyOn(name: Engine, reason: string): { skip?: string } {
  return name === engine ? {} : { skip: `only on ${name}: ${reason}` };
}

/** Options of tests in which root acts as another user, on files of SQLite. That user loads parts of the program too. */
export function onlyAsRoot(): { skip?: string } {
  if (engine === 'sqlite' && process.getuid?.() !== 0) {
    return { skip: 'only root can give files to another user, and these tests do not run as root' };
  }
  if (engine === 'sqlite' && !isReadByAll(import.meta.dirname)) {
    return { skip: 'the sources are in a directory of root alone, where no other user can read them' };
  }
  return onlyOn('sqlite', 'makes files');
}

function isReadByAll(directory: string): boolean {
  const above = dirname(directory);
  return (statSync(directory).mode & 0o005) === 0o005 && (above === directory || isReadByAll(above));
}

/** The databases of PostgreSQL that stand for files, until {@link dropDatabases}. */
const databases = new Map<string, Promise<PostgresqlDatabase>>();

/**
 * What `--database` gets for a file that a test names: that file, or over PostgreSQL the URL of the database that stands for
 * it, which is empty at first. A test names files only, and so runs over both. A URL stays as it is.
 */
export async function databaseFor(file: string, on: Engine = engine): Promise<string> {
  if (on === 'sqlite' || isUrl(file)) return file;
  const database = databases.get(file) ?? standFor(file);
  return (await database).url;
}

/** Whether a test has named the file as a database of PostgreSQL before. */
export function isKnown(file: string): boolean {
  return databases.has(file);
}

/** Makes the database of PostgreSQL that stands for the file; a copy of the template if one is named. */
export function standFor(file: string, template?: string): Promise<PostgresqlDatabase> {
  const made = postgresqlServer().then((server) => server.createDatabase(template));
  databases.set(file, made);
  return made;
}

/** Drops the databases that stand for files in the directory. */
export async function dropDatabases(directory: string): Promise<void> {
  const below = [...databases].filter(([file]) => file.startsWith(directory));
  await Promise.all(
    below.map(async ([file, database]) => {
      databases.delete(file);
      await (await database).drop();
    }),
  );
}

/** Seals the signing keys of a database of PostgreSQL, which has no file beside it. */
export const testSealingKey = Buffer.alloc(32, 'test').toString('base64url');

/** The arguments of a command, and settings in its environment. */
export interface CommandLine {
  readonly args: readonly string[];
  readonly env: Record<string, string>;
}

/**
 * The command with what {@link databaseFor} gives for the files of databases that it names. A URL has a password, so it goes
 * into the environment, as the advice to operators is.
 */
export async function withDatabases({ args, env }: CommandLine): Promise<CommandLine> {
  const flag = args.findIndex((arg) => /^--database(?:=|$)/.test(arg));
  const words = args[flag] === '--database' ? 2 : 1;
  const file = flag < 0 ? env.WATCHWORD_DATABASE : args[flag + words - 1]?.replace(/^--database=/, '');
  if (file === undefined) return { args, env };
  const database = await databaseFor(file);
  // Of --database and --url, only one is permitted: the command must see both.
  if (!isUrl(database) || args.includes('--url')) return { args, env };
  return {
    args: flag < 0 ? args : args.toSpliced(flag, words),
    env: {
      ...(!namesKey(args) && { WATCHWORD_SIGNING_KEY: testSealingKey }),
      ...env,
      WATCHWORD_DATABASE: database,
    },
  };
}

/** Whether the command names the key that seals signing keys itself. */
function namesKey(args: readonly string[]): boolean {
  return args.some((arg) => arg.startsWith('--signing-key'));
}

export function isUrl(database: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(database);
}

/** The setting without which a server on PostgreSQL does not start. */
export function sealingFlags(database: string): { 'signing.key'?: string } {
  return isUrl(database) ? { 'signing.key': testSealingKey } : {};
}
