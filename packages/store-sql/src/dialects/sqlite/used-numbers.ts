import type { DatabaseSync } from 'node:sqlite';
import type { UsedNumbers } from '../../purge/new-epoch.ts';
import { openOwn } from './files/open-own.ts';

/** The numbers that a database has used; `undefined` if it is missing or cannot be read. */
export function usedNumbers(file: string): UsedNumbers | undefined {
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
