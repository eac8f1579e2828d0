import { schema } from './0001-schema.ts';
import type { Migration } from './migration.ts';

/** Every migration, under the name that the database remembers; a released one is never changed. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-schema': schema,
};
