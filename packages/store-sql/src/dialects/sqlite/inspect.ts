import type { Inspection } from '../../schema/migrate.ts';
import { inspectSchema } from '../../schema/migrate.ts';
import { lastServer } from './server-lock.ts';
import { readUntouched } from './untouched.ts';

/** Compares a database with this release. @throws DatabaseOpenError if there is none, or it cannot be read */
export async function inspectSqlite(file: string): Promise<Inspection> {
  const schema = await readUntouched(file, inspectSchema);
  const last = lastServer(file);
  return { ...schema, servers: last === undefined ? [] : [last] };
}
