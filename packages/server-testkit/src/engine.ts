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

/** The arguments of a command with what {@link databaseFor} gives for the files of databases. */
export function withDatabases(args: readonly string[]): Promise<string[]> {
  return Promise.all(
    args.map((arg, index) => {
      const [, file] = /^--database=(.*)$/.exec(arg) ?? [];
      if (file !== undefined) return databaseFor(file).then((database) => `--database=${database}`);
      return args[index - 1] === '--database' ? databaseFor(arg) : arg;
    }),
  );
}

export function isUrl(database: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(database);
}
