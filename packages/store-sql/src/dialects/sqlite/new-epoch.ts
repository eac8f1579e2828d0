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
  /** The database that this one takes the place of; it may be missing or damaged. */
  readonly predecessor: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly keepTokens: boolean;
}

/**
 * Makes a restored database one that nobody mistakes for the one it was copied from. What could have been ended since
 * then is ended, and every number that counts up goes on above all that may have been used meanwhile: by the
 * predecessor if it can be read, and by the clock, for nobody makes more than one record each second for years.
 */
export function beginEpoch(file: string, { predecessor, now, keepTokens }: EpochOptions): EndedByRestore {
  const used = numbersUsedBy(predecessor);
  const db = new DatabaseSync(file);
  try {
    db.exec('begin immediate');
    const remove = (table: string) => Number(db.prepare(`delete from "${table}"`).run().changes);
    const removeUnlessKept = (table: string) => (keepTokens ? 0 : remove(table));
    const ended = {
      accessTokens: removeUnlessKept('access_token'),
      refreshTokens: removeUnlessKept('refresh_token'),
      // A code or a session that was used up or ended after the backup must not count again.
      authorizationCodes: remove('authorization_code'),
      grants: removeUnlessKept('grant'),
      consents: removeUnlessKept('consent'),
      loginSessions: remove('login_session'),
    };
    remove('login_session_link');
    // With them cursors of lists end, and forms that are open somewhere.
    remove('sealing_key');
    raiseNumbers(db, used, Math.floor(now / 1000));
    db.exec('commit');
    // What was removed leaves nothing in the file, and no empty pages.
    if (!keepTokens) db.exec('vacuum');
    return ended;
  } finally {
    db.close();
  }
}

interface Numbers {
  readonly revision: number;
  /** The greatest record id of each table. */
  readonly ids: ReadonlyMap<string, number>;
}

function raiseNumbers(db: DatabaseSync, used: Numbers, least: number): void {
  const own = numbersOf(db);
  const put = db.prepare('update sqlite_sequence set seq = ? where name = ?');
  const add = db.prepare('insert into sqlite_sequence (seq, name) values (?, ?)');
  for (const table of numberedTables(db)) {
    const greatest = Math.max(own.ids.get(table) ?? 0, used.ids.get(table) ?? 0, least);
    if (put.run(greatest, table).changes === 0) add.run(greatest, table);
  }
  // Nodes that knew the predecessor read everything anew.
  const revision = Math.max(own.revision, used.revision, least) + 1;
  db.prepare('update configuration set revision = ?1, reaped_revision = ?1').run(revision);
}

function numberedTables(db: DatabaseSync): string[] {
  const found = db.prepare(
    "select name from sqlite_schema where type = 'table' and sql like '%autoincrement%'",
  );
  return found.all().map(({ name }) => String(name));
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
    return { revision: 0, ids: new Map() };
  }
}

function numbersOf(db: DatabaseSync): Numbers {
  const revision = db.prepare('select max(revision, reaped_revision) as revision from configuration').get();
  const ids = db.prepare('select name, seq from sqlite_sequence').all();
  return {
    revision: Number(revision?.revision ?? 0),
    ids: new Map(ids.map(({ name, seq }) => [String(name), Number(seq)])),
  };
}
