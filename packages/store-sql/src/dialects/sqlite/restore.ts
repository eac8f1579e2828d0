import { closeSync, existsSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@watchword/protocol';
import { type Kysely, sql } from 'kysely';
import type { EndedByRestore } from '../../purge/issued.ts';
import type { UsedNumbers } from '../../purge/new-epoch.ts';
import { DatabaseOpenError } from '../../schema/database-open-error.ts';
import { countRecords, lastEvent, type RecordCounts } from '../../schema/record-counts.ts';
import type { Schema } from '../../schema/schema.ts';
import type { Store } from '../../store/store.ts';
import { copySnapshot, foldLog, openSnapshot, removeDatabase } from './files/copy-database.ts';
import { createDirectory, placeOf, requireFile } from './files/files.ts';
import { openOwn } from './files/open-own.ts';
import { isReadable, type Replaced, replaceDatabase } from './files/replace-database.ts';
import { asOwnerOf } from './files/rights.ts';
import { migrateSqlite, openSqliteStore } from './open.ts';
import { requireNoServer, ServerLock } from './server-lock.ts';
import { readUntouched } from './untouched.ts';

/** The numbers that a database has used; `undefined` if it is missing or cannot be read. */
function usedNumbers(file: string): UsedNumbers | undefined {
  try {
    const db = openOwn(file, { readOnly: true });
    try {
      return numbersOf(db);
    } finally {
      db.close();
    }
  } catch {
    return undefined;
  }
}

function numbersOf(db: DatabaseSync): UsedNumbers {
  const revision = db
    .prepare('select max(revision, purged_revision) as revision from registry_revision')
    .get();
  const rows = db.prepare('select sequence_name, last_number from number_sequence').all();
  return {
    revision: Number(revision?.revision ?? 0),
    sequences: new Map(
      rows.map(({ sequence_name, last_number }) => [String(sequence_name), Number(last_number)]),
    ),
  };
}

export interface RestoreOptions {
  readonly file: string;
  /** The backup, which is not changed. A process of root reads it with the rights of the owner of its directory. */
  readonly from: string;
  readonly clock: Clock;
  /** Keeps tokens, grants and consents, also those that ended since the backup. */
  readonly keepTokens: boolean;
}

export interface RestoreReport<Value> extends Replaced {
  readonly ended: EndedByRestore;
  readonly value: Value;
}

/** What a restore would put in place, and what it would replace. */
export interface RestorePreview {
  readonly backup: RecordCounts;
  /** Epoch milliseconds: the date of the file of the backup, which a copy can have changed. */
  readonly fileDate: number;
  /** Epoch milliseconds: the last event of the audit log in the backup; `undefined` if there is none. */
  readonly lastEvent: number | undefined;
  /**
   * Whether it is a copy of a file whose last commits can have been in a log beside it. "watchword backup" makes no such file. A copy
   * that was made before later commits is in itself complete, so that nothing shows what it lacks.
   */
  readonly isWithoutLog: boolean;
  /** `undefined` if there is no database, `unreadable` if it is damaged or has no tables. */
  readonly replaced: RecordCounts | 'unreadable' | undefined;
}

/** Counts the records of both databases. Nothing is made or changed. @throws DatabaseOpenError if the restore is not possible, as while a server runs */
export async function previewRestore({
  file,
  from,
}: Pick<RestoreOptions, 'file' | 'from'>): Promise<RestorePreview> {
  requireNoServer(file);
  const found = await asOwnerOf([from], async () => {
    requireBackup(file, from);
    const isWithoutLog = hasLogElsewhere(from);
    const fileDate = statSync(from).mtimeMs;
    const content = await readUntouched(from, async (db) => {
      await requireTablesAlone(db, from);
      return { backup: await countRecords(db), lastEvent: await lastEvent(db) };
    });
    return { ...content, fileDate, isWithoutLog };
  });
  if (!existsSync(file)) return { ...found, replaced: undefined };
  if (!isReadable(file)) return { ...found, replaced: 'unreadable' };
  return { ...found, replaced: await readUntouched(file, countRecords).catch(() => 'unreadable' as const) };
}

// Of the header of a database file: where it names the kind of log that its readers need, and the write-ahead log.
const readVersion = { position: 19, ofWriteAheadLog: 2 };

/** Whether a database, which is not open here, names a write-ahead log that is not beside it. */
function hasLogElsewhere(file: string): boolean {
  if (existsSync(`${file}-wal`)) return false;
  const opened = openSync(file, 'r');
  try {
    const version = Buffer.alloc(1);
    readSync(opened, version, 0, 1, readVersion.position);
    return version[0] === readVersion.ofWriteAheadLog;
  } finally {
    closeSync(opened);
  }
}

/**
 * Replaces the database by the backup. All changes are made in a copy, which then gets the name of the database. If the process
 * ends early, there is either the old or the new database, complete.
 *
 * @param prepare further changes of the copy before it gets the name
 * @throws DatabaseOpenError if a server uses the database, or the backup is not a backup or is damaged
 */
export async function restoreSqlite<Value>(
  { file, from, clock, keepTokens }: RestoreOptions,
  prepare: (store: Store, ended: EndedByRestore) => Promise<Value>,
): Promise<RestoreReport<Value>> {
  using snapshot = await asOwnerOf([from], async () => {
    requireBackup(file, from);
    return openSnapshot(from);
  });
  createDirectory(file);
  const place = placeOf(file);
  const lock = ServerLock.acquire(file);
  const staged = `${place}.restoring`;
  try {
    isReadable(place);
    await copySnapshot(snapshot, staged, existsSync(place) ? place : undefined);
    await readUntouched(staged, (db) => requireTablesAlone(db, from));
    await migrateSqlite(staged, 'all');
    foldLog(staged);
    const epoch = { now: clock.now(), endIssuedFrom: keepTokens ? undefined : 0, used: usedNumbers(place) };
    const prepared = await useStore(staged, clock, async (store) => {
      const ended = await store.beginEpoch(epoch);
      return { ended, value: await prepare(store, ended) };
    });
    foldLog(staged);
    if (!keepTokens) leaveNoEmptyPages(staged);
    return { ...prepared, ...replaceDatabase(place, staged, clock.now()) };
  } finally {
    removeDatabase(staged);
    lock.release();
  }
}

/**
 * What acts by itself would do so at each command and server from then on, whatever is changed after the restore.
 *
 * @throws DatabaseOpenError
 */
async function requireTablesAlone(db: Kysely<Schema>, from: string): Promise<void> {
  const { rows } = await sql<{
    type: string;
    name: string;
  }>`select type, name from sqlite_schema where type = 'trigger'
    union all select iif(type = 'view', type, type || ' table'), name from pragma_table_list where schema = 'main' and type <> 'table' order by name limit 1`.execute(
    db,
  );
  const [found] = rows;
  if (found === undefined) return;
  throw new DatabaseOpenError(
    `${from} has the ${found.type} ${JSON.stringify(found.name)}: expected tables alone, because no release makes anything else. Nothing was changed. Find out who made it, and restore another backup.`,
  );
}

/** Removed rows leave no data and no empty pages in the file. */
function leaveNoEmptyPages(file: string): void {
  const db = new DatabaseSync(file);
  try {
    db.exec('vacuum');
  } finally {
    db.close();
  }
}

async function useStore<Value>(
  file: string,
  clock: Clock,
  use: (store: Store) => Promise<Value>,
): Promise<Value> {
  const store = await openSqliteStore({ file, clock });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** @throws DatabaseOpenError */
function requireBackup(file: string, from: string): void {
  requireFile(from);
  if (existsSync(file) && realpathSync(file) === realpathSync(from)) {
    throw new DatabaseOpenError(`${from} is the database itself. Name the backup that is to replace it.`);
  }
}
