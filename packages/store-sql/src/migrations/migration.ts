import type { Kysely } from 'kysely';
import type { ColumnTypes } from '../column-types.ts';

/** One change of the schema. It uses SQL that every dialect has; `types` has the differences. */
export interface Migration {
  up(db: Kysely<unknown>, types: ColumnTypes): Promise<void>;
}
