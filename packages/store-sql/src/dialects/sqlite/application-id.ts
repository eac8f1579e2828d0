import type { DatabaseSync } from 'node:sqlite';
import { otherApplicationError } from './sqlite-errors.ts';

// Marks the file as a database of Watchword ("WWRD"), so that a database of another application is never changed.
const applicationId = 0x57575244;

/**
 * @param mayCreate whether an empty file becomes a database of Watchword; if not, the file does not change
 * @throws Error if the file belongs to another application
 */
export function requireOwn(db: DatabaseSync, { mayCreate }: { readonly mayCreate: boolean }): void {
  const found = db.prepare('pragma application_id').get()?.application_id;
  const isEmpty = db.prepare('select count(*) as tables from sqlite_schema').get()?.tables === 0;
  const isNew = isEmpty && found === 0;
  if (!isNew && found !== applicationId) throw otherApplicationError(found);
  if (isNew && mayCreate) db.exec(`pragma application_id = ${applicationId}`);
}
