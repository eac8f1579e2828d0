import type { Kysely } from 'kysely';
import type { ColumnTypes } from '../column-types.ts';

/**
 * One change of the schema. It uses SQL that every dialect has; `types` has the differences.
 *
 * Nodes of two releases serve one database during an upgrade. A migration therefore expands or contracts the schema. One that
 * expands adds what older releases do not read, and does not take away what they write. One that contracts removes or changes
 * what an older release uses. It comes in a later release than the migration that made it unnecessary, and a release that knows
 * it must also work before it is applied.
 */
export interface Migration {
  /** What changes, as one line for operators: `adds the column …`. */
  readonly summary: string;
  /** Only of a migration that contracts: the newest migration that a release must know to work afterwards. */
  readonly requires?: string;
  up(db: Kysely<unknown>, types: ColumnTypes): Promise<void>;
}
