import { readFile } from 'node:fs/promises';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { query, type Row } from '@watchword/testkit/postgresql';
import { databaseFor, isUrl } from './engine.ts';

/**
 * Runs a statement on the database of a test, beside the server, on a connection of its own. Parameters are `?`; values and
 * rows have numbers, texts and byte arrays in both engines.
 */
export async function sql(
  database: string,
  text: string,
  ...values: readonly SQLInputValue[]
): Promise<readonly Row[]> {
  const location = await databaseFor(database);
  if (isUrl(location)) {
    let count = 0;
    const numbered = text.replaceAll('?', () => {
      count += 1;
      return `$${count}`;
    });
    return query(location, numbered, values);
  }
  return whenFree(() => {
    const db = new DatabaseSync(location, { timeout: 0 });
    try {
      return db.prepare(text).all(...values);
    } finally {
      db.close();
    }
  });
}

/**
 * Works on SQLite when no other connection holds the lock for writes. Waits in turns: the server of a test runs in this process, and
 * its transaction needs them to end.
 */
export async function whenFree<Value>(work: () => Value, turns = 500): Promise<Value> {
  try {
    return work();
  } catch (error) {
    if (turns === 0 || !isBusy(error)) throw error;
  }
  await setTimeout(20);
  return whenFree(work, turns - 1);
}

/** SQLITE_BUSY, with whatever it adds in its second byte. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5;
}

/** The number of rows in a table, which a condition can follow. */
export async function countRows(database: string, rows: string): Promise<number> {
  const [counted] = await sql(database, `select count(*) as found from ${rows}`);
  return Number(counted?.found);
}

/** The names of all tables, also those of the migrations. */
export async function tableNames(database: string): Promise<string[]> {
  const rows = isUrl(await databaseFor(database))
    ? await sql(database, "select tablename as name from pg_tables where schemaname = 'public' order by 1")
    : await sql(database, "select name from sqlite_schema where type = 'table' order by 1");
  return rows.map(({ name }) => String(name));
}

/** All bytes that the database has stored: the files of SQLite, also what they have kept of removed rows, or every value of every row. */
export async function storedBytes(database: string): Promise<Buffer> {
  const location = await databaseFor(database);
  if (!isUrl(location)) {
    // The log first: what is moved from it into the database meanwhile is read there.
    const log = await readFile(`${location}-wal`).catch(() => Buffer.alloc(0));
    return Buffer.concat([log, await readFile(location)]);
  }
  const tables = await tableNames(location);
  const rows = await Promise.all(tables.map((table) => query(location, `select * from ${table}`)));
  const values = rows.flat().flatMap((row) => Object.values(row));
  return Buffer.concat(values.map((value) => (Buffer.isBuffer(value) ? value : Buffer.from(`${value}\n`))));
}
