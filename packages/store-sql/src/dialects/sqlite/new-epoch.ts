import { DatabaseSync } from 'node:sqlite';
import { requireOwn } from './application-id.ts';

/** Rows that a restore removed. */
export interface EndedByRestore {
  readonly accessTokens: number;
  readonly refreshTokens: number;
  readonly authorizationCodes: number;
  readonly grants: number;
  readonly consents: number;
  readonly loginSessions: number;
}

export interface EpochOptions {
  /** The database that this one replaces. It can be missing or damaged. */
  readonly predecessor: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly keepTokens: boolean;
}

/**
 * Distinguishes a restored database from the database that was backed up. Tokens, grants and sessions that can have ended since
 * the backup are removed. Every sequence continues above all numbers that can have been used since the backup: the numbers of
 * the predecessor, if it can be read, and the seconds of the clock, because no server makes a record each second for years.
 */
export function beginEpoch(file: string, { predecessor, now, keepTokens }: EpochOptions): EndedByRestore {
  const used = numbersUsedBy(predecessor);
  const db = new DatabaseSync(file);
  try {
    db.exec('begin immediate');
    const remove = (table: string) => Number(db.prepare(`delete from ${table}`).run().changes);
    const removeUnlessKept = (table: string) => (keepTokens ? 0 : remove(table));
    const ended = {
      accessTokens: removeUnlessKept('access_token'),
      refreshTokens: removeUnlessKept('refresh_token'),
      // A code that was redeemed, or a session that ended after the backup, must not be valid again.
      authorizationCodes: remove('authorization_code'),
      grants: removeUnlessKept('authorization_grant'),
      consents: removeUnlessKept('consent'),
      loginSessions: remove('login_session'),
    };
    remove('login_session_link');
    // No process of the restored database has the lease.
    remove('lease');
    // Without these keys, cursors of lists and open forms are no longer valid.
    remove('sealing_key');
    const least = Math.floor(now / 1000);
    // A reset link that was redeemed after the backup must not be valid again, nor a version of an account that is gone.
    db.prepare(
      'update account set reset_digest = null, reset_expires = null, revision = max(revision, ?)',
    ).run(least);
    raiseNumbers(db, used, least);
    db.exec('commit');
    // Removed rows leave no data and no empty pages in the file.
    if (!keepTokens) db.exec('vacuum');
    return ended;
  } finally {
    db.close();
  }
}

interface Numbers {
  readonly revision: number;
  /** The last number of each sequence. */
  readonly sequences: ReadonlyMap<string, number>;
}

function raiseNumbers(db: DatabaseSync, used: Numbers, least: number): void {
  const own = numbersOf(db);
  const put = db.prepare('update number_sequence set last_number = ? where sequence_name = ?');
  for (const [name, last] of own.sequences)
    put.run(Math.max(last, used.sequences.get(name) ?? 0, least), name);
  // A node that knew the predecessor reads all records again.
  const revision = Math.max(own.revision, used.revision, least) + 1;
  db.prepare('update registry_revision set revision = ?1, purged_revision = ?1').run(revision);
}

function numbersUsedBy(predecessor: string): Numbers {
  try {
    const db = new DatabaseSync(predecessor, { readOnly: true });
    try {
      requireOwn(db, { mayCreate: false });
      return numbersOf(db);
    } finally {
      db.close();
    }
  } catch {
    return { revision: 0, sequences: new Map() };
  }
}

function numbersOf(db: DatabaseSync): Numbers {
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
