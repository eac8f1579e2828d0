import type { Kysely } from 'kysely';
import { DatabaseOpenError } from '../schema/database-open-error.ts';
import { schemaState } from '../schema/migrate.ts';
import type { Schema } from '../schema/schema.ts';
import { copyTable, digestTable } from './copy-tables.ts';
import type { MovableDatabase, TableReader } from './movable-database.ts';
import { beginMove, type Copied, copiedSoFar, endMove } from './move-state.ts';
import { movedTables, tablesWithFirstRows } from './moved-tables.ts';

/** Makes the target ready for rows. @returns how far an earlier run has copied each table */
async function prepareTarget(
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

/** What a move does now: rows of a table so far, of all its rows at the source. */
export interface MoveProgress {
  readonly step: 'copied' | 'compared';
  readonly table: string;
  readonly rows: number;
  readonly of: number;
}

export interface MoveReport {
  /** Rows of each table. */
  readonly tables: Readonly<Record<string, number>>;
  /** Rows that an earlier, interrupted move had copied. */
  readonly alreadyCopied: number;
}

/**
 * Copies all rows to an empty database, and compares every value afterwards. The source does not change. A move that was
 * interrupted continues where it stopped.
 *
 * @throws DatabaseOpenError if the target is not empty, or if the two differ at the end
 */
export async function moveData(
  source: MovableDatabase,
  target: MovableDatabase,
  onProgress: (progress: MoveProgress) => void,
): Promise<MoveReport> {
  const required = await requireSameSchema(source, target);
  // One snapshot for all tables, so that each row that another refers to is in it.
  return source.db
    .transaction()
    .setAccessMode('read only')
    .execute(async (transaction) => {
      const snapshot: TableReader = { db: transaction, explain: source.explain };
      const before = await prepareTarget(source, target);
      const counts = await copyAll(snapshot, target, before, onProgress);
      await compareAll(snapshot, { source, target }, onProgress, counts);
      await target.db.transaction().execute((last) => endMove(last, required));
      const alreadyCopied = [...before.values()].reduce((sum, { rows }) => sum + rows, 0);
      return { tables: Object.fromEntries(counts), alreadyCopied };
    });
}

/** @returns the newest migration that a release must know to serve the source */
async function requireSameSchema(source: MovableDatabase, target: MovableDatabase): Promise<string> {
  const [from, to] = [await schemaState(source.db), await schemaState(target.db)];
  if (from.applied.join() === to.applied.join()) return from.required;
  throw new DatabaseOpenError(
    `The databases have different migrations: ${source.shown} has ${from.applied.join(', ')}, and ${target.shown} has ${to.applied.join(', ')}. Run "watchword migrate --finish" on both with this release, and then move again.`,
  );
}

async function copyAll(
  snapshot: TableReader,
  target: MovableDatabase,
  before: ReadonlyMap<string, Copied>,
  onProgress: (progress: MoveProgress) => void,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const moved of movedTables) {
    const { table } = moved;
    const of = await countRows(snapshot.db, table);
    const report = (rows: number) => onProgress({ step: 'copied', table, rows, of });
    counts.set(table, await copyTable(snapshot, target, moved, before.get(table), report));
  }
  return counts;
}

async function compareAll(
  snapshot: TableReader,
  { source, target }: { readonly source: MovableDatabase; readonly target: MovableDatabase },
  onProgress: (progress: MoveProgress) => void,
  counts: ReadonlyMap<string, number>,
): Promise<void> {
  for (const moved of movedTables) {
    const { table } = moved;
    let rows = 0;
    const [expected, found] = await Promise.all([
      digestTable(snapshot, moved, () => {}),
      digestTable(target, moved, (more) => {
        rows += more;
        onProgress({ step: 'compared', table, rows, of: counts.get(table) ?? 0 });
      }),
    ]);
    if (expected.rows === found.rows && expected.digest === found.digest) continue;
    const difference =
      expected.rows === found.rows
        ? `has the same ${found.rows} rows, but other values (SHA-256 ${expected.digest} and ${found.digest})`
        : `has ${expected.rows} rows in ${source.shown} and ${found.rows} in ${target.shown}`;
    throw new DatabaseOpenError(
      `The table ${table} ${difference}. The source was changed between two runs, or another program has written to the target. The target cannot be used. Make an empty database and move again.`,
    );
  }
}

async function countRows(db: Kysely<Schema>, table: keyof Schema): Promise<number> {
  const { rows } = await db
    .selectFrom(table)
    .select((select) => select.fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow();
  return Number(rows);
}
