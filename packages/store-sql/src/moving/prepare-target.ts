import { DatabaseOpenError } from '../schema/database-open-error.ts';
import type { MovableDatabase } from './movable-database.ts';
import { beginMove, type Copied, copiedSoFar } from './move-state.ts';
import { movedTables, tablesWithFirstRows } from './moved-tables.ts';

/** Makes the target ready for rows. @returns how far an earlier run has copied each table */
export async function prepareTarget(
  source: MovableDatabase,
  target: MovableDatabase,
): Promise<ReadonlyMap<string, Copied>> {
  if ((await copiedSoFar(source.db)) !== undefined) {
    throw new DatabaseOpenError(
      `${source.shown} has only a part of its rows, because a move into it has not ended. Name a complete database with --from.`,
    );
  }
  const before = await copiedSoFar(target.db);
  if (before !== undefined) return before;
  await requireEmpty(target);
  await target.db.transaction().execute(async (transaction) => {
    for (const table of tablesWithFirstRows) await transaction.deleteFrom(table).execute();
    await beginMove(transaction, target.types);
  });
  return new Map();
}

async function requireEmpty({ db, shown }: MovableDatabase): Promise<void> {
  const filled: string[] = [];
  for (const { table } of movedTables) {
    if (tablesWithFirstRows.has(table)) continue;
    const row = await db
      .selectFrom(table)
      .select((select) => select.lit(1).as('one'))
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined) filled.push(table);
  }
  if (filled.length === 0) return;
  throw new DatabaseOpenError(
    `${shown} is not empty: it has rows in ${filled.join(', ')}. Nothing was changed. Name an empty database with --to.`,
  );
}
