import { DatabaseOpenError } from '../../schema/database-open-error.ts';
import type { Session } from './connection/session.ts';

const oldestMajor = 14;

/**
 * Checks that Watchword can use the database, before anything is changed.
 *
 * @param shown the URL without its password
 * @throws DatabaseOpenError
 */
export async function requireUsable(session: Session, shown: string): Promise<void> {
  const [found, others] = await session.pipeline([
    {
      text: `select version(), current_setting('server_encoding'), current_schema(), to_regclass('schema_migration_lock') is not null`,
      values: [],
    },
    { text: foreignTables, values: [] },
  ]);
  const [version, encoding, schema, isOurs] = found?.rows[0] ?? [];
  const problem =
    versionProblem(String(version)) ??
    encodingProblem(String(encoding)) ??
    schemaProblem(schema) ??
    (isOurs === true ? undefined : foreignProblem(others?.rows ?? []));
  if (problem !== undefined) {
    throw new DatabaseOpenError(`The database ${shown} ${problem} Nothing was changed.`);
  }
}

// Tables of extensions do not count: they are there before the first application is.
const foreignTables = `select relname::text from pg_class as c
  where relnamespace = to_regnamespace(current_schema()) and relkind in ('r', 'p')
    and not exists (select 1 from pg_depend as d
      where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  order by 1 limit 4`;

function versionProblem(version: string): string | undefined {
  // Other engines that speak this protocol count their versions differently.
  if (version.includes('-YB-')) return undefined;
  const major = /^PostgreSQL (\d+)/.exec(version)?.[1];
  if (major === undefined || Number(major) >= oldestMajor) return undefined;
  return `is served by PostgreSQL ${major}. Expected PostgreSQL ${oldestMajor} or later: upgrade the server.`;
}

function encodingProblem(encoding: string): string | undefined {
  if (encoding === 'UTF8') return undefined;
  return `has the encoding ${encoding}. Expected UTF8: create another database with "create database … encoding 'UTF8' template template0".`;
}

function schemaProblem(schema: unknown): string | undefined {
  if (typeof schema === 'string') return undefined;
  return 'has no schema in which this user can find tables. Create the schema that search_path names, or correct search_path of the user, and grant the user USAGE on the schema.';
}

function foreignProblem(tables: readonly (readonly unknown[])[]): string | undefined {
  // A migration that was interrupted leaves no table: it is one transaction.
  if (tables.length === 0) return undefined;
  const names = tables.slice(0, 3).map(([name]) => String(name));
  return `belongs to another application: it has the tables ${names.join(', ')}${tables.length > 3 ? ', …' : ''}, and no table schema_migration_lock. Name an empty database, or give the user a schema of its own with search_path.`;
}
