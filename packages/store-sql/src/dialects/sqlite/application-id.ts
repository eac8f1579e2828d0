import type { DatabaseSync } from 'node:sqlite';
import { otherApplicationError } from './sqlite-errors.ts';

// Marks the file as a database of Watchword ("WWRD"), so that a database of another application is never changed.
const applicationId = 0x57575244;

// One statement sees one state of the file, while another process can be creating the database.
const stateOfFile = `select application_id as found, (select count(*) from sqlite_schema) as tables
from pragma_application_id`;

/**
 * @param mayCreate whether an empty file becomes a database of Watchword; if not, the file does not change
 * @throws Error if the file belongs to another application
 */
export function requireOwn(db: DatabaseSync, { mayCreate }: { readonly mayCreate: boolean }): void {
  const { found, tables } = db.prepare(stateOfFile).get() ?? {};
  const isNew = tables === 0 && found === 0;
  if (!isNew && found !== applicationId) throw otherApplicationError(found);
  if (isNew && mayCreate) db.exec(`pragma application_id = ${applicationId}`);
}
