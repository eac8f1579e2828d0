import type { DatabaseSync } from 'node:sqlite';
import { openOwn } from './open-own.ts';
import { toSqliteError } from './sqlite-errors.ts';

// These can be large, so they come last.
const large = new Set([
  'access_token',
  'authorization_grant',
  'authorization_code',
  'refresh_token',
  'login_session',
  'login_event',
  'audit_event',
]);
const enough = 20;

/** The damage in the database in the words of SQLite; empty if there is none. Reads all data and compares indexes. */
export function findDamage(file: string): string[] {
  return withReader(file, (db) => {
    const findings = verdict(db, 'pragma integrity_check(100)');
    // If a tree cannot be entered, the check of the whole database reports only that there is damage.
    return findings.length === 0 ? [] : [...new Set([...findings, ...damagedTables(db, 'integrity_check')])];
  });
}

/** The same table by table, without comparing indexes with their tables. It takes a fraction of the time. */
export function findDamageQuickly(file: string): string[] {
  return withReader(file, (db) => damagedTables(db, 'quick_check').slice(0, enough));
}

function damagedTables(db: DatabaseSync, check: 'quick_check' | 'integrity_check'): string[] {
  return tables(db).flatMap((table) =>
    verdict(db, `pragma ${check}('${table}')`).map((finding) => `${table}: ${finding}`),
  );
}

function tables(db: DatabaseSync): string[] {
  const names = db.prepare("select name from sqlite_schema where type = 'table' order by name").all();
  const all = names.map(({ name }) => String(name));
  return [...all.filter((name) => !large.has(name)), ...all.filter((name) => large.has(name))];
}

function verdict(db: DatabaseSync, sql: string): string[] {
  try {
    const rows = db
      .prepare(sql)
      .all()
      .map((row) => String(Object.values(row)[0]));
    return rows.filter((row) => row !== 'ok').map((row) => row.replace('*** in database main ***\n', ''));
  } catch (error) {
    return [toSqliteError(error).message];
  }
}

function withReader<Value>(file: string, read: (db: DatabaseSync) => Value): Value {
  const db = openOwn(file, { readOnly: true, timeout: 2000 });
  try {
    return read(db);
  } finally {
    db.close();
  }
}
