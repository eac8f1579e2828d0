import type { Problem } from '../configuration-error.ts';
import { secretInFile } from '../secret-source.ts';
import { isPostgresqlUrl, urlForm } from './database-kinds.ts';
import { maskCredentials } from './mask.ts';

/** A value, and the flag, variable or file that it came from. A default has no place. */
interface Found {
  readonly value: unknown;
  readonly origin: 'flag' | 'environment' | 'file' | 'default';
  readonly place?: string;
}

const precedence = ['default', 'file', 'environment', 'flag'] as const;
const rank = ({ origin }: Found) => precedence.indexOf(origin);

type FoundByPath = Readonly<Record<string, Found>>;

/** A setting that no source has. */
const none: Found = { value: undefined, origin: 'default' };

/**
 * The database of `database`, or of the URL in the file of `databaseUrlFile` if that setting takes precedence; otherwise there is
 * no such file. Settings of PostgreSQL for a file of SQLite are problems, unless only a source of lower precedence has them.
 */
export async function findDatabase(
  found: FoundByPath,
  problems: Problem[],
): Promise<{ readonly database: Found; readonly databaseUrlFile: Found }> {
  const { database = none, databaseUrlFile = none } = found;
  const named = await preferred(database, databaseUrlFile, problems);
  const both = { database: named, databaseUrlFile: named === database ? none : databaseUrlFile };
  if (typeof named.value !== 'string' || isPostgresqlUrl(named.value)) return both;
  for (const [path, given] of Object.entries(found)) {
    const isRead = given.place !== undefined && given.value !== undefined;
    const reason = whyPostgresql(path, given.value);
    if (reason === undefined || !isRead || rank(given) < rank(named)) continue;
    problems.push({
      path,
      place: given.place,
      problem: `${reason}, and the database is the file ${named.value}; remove it, or name a PostgreSQL database`,
    });
  }
  return both;
}

/** Why the value of a setting needs PostgreSQL; `undefined` if it does not. */
function whyPostgresql(path: string, value: unknown): string | undefined {
  if (path === 'workers' && typeof value === 'number' && value > 1) {
    return 'several processes need PostgreSQL, because a SQLite file has one server process';
  }
  const isSetting = /^(?:databaseListen$|postgresql\.)/.test(path);
  return isSetting ? 'is a setting of PostgreSQL' : undefined;
}

async function preferred(database: Found, urlFile: Found, problems: Problem[]): Promise<Found> {
  const { place } = urlFile;
  if (place === undefined || rank(urlFile) < rank(database) || typeof urlFile.value !== 'string')
    return database;
  if (rank(urlFile) === rank(database)) {
    const problem = `cannot be set together with database (${database.place}); remove one of them`;
    problems.push({ path: 'databaseUrlFile', place, problem });
    return database;
  }
  return { ...urlFile, value: await urlIn(urlFile.value, problems) };
}

async function urlIn(file: string, problems: Problem[]): Promise<string | undefined> {
  const problemOf = (problem: string) =>
    void problems.push({ path: 'databaseUrlFile', place: file, problem });
  const content = await secretInFile(file).catch((error: Error) =>
    problemOf(`cannot be read: ${error.message}`),
  );
  const url = content?.trim();
  if (url === undefined || isPostgresqlUrl(url)) return url;
  problemOf(`expected ${urlForm}, got ${url === '' ? 'nothing' : 'another text'}`);
  return undefined;
}

/** A warning for each flag with a password. Other users of the machine can read flags in the list of processes. */
export function passwordsInFlags(flags: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries({
    database: '--database',
    databaseListen: '--database-listen',
  }).flatMap(([path, flag]) => {
    const value = flags[path];
    if (value === undefined || !isPostgresqlUrl(value) || maskCredentials(value) === value) return [];
    const file = path === 'database' ? 'in the file of databaseUrlFile' : 'in the configuration file';
    const variable = `WATCHWORD_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`;
    return [
      `${flag} has a password, and other users of the machine can read the flags of a process; put the URL into the variable ${variable}, or ${file}`,
    ];
  });
}
