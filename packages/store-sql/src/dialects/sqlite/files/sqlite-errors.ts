/** An error of SQLite or of its files, in a form that can be sent between threads. */
export interface SqliteError {
  readonly message: string;
  /** Primary SQLite result code, 0 if the error is not from SQLite. */
  readonly code: number;
}

/** Primary result codes of SQLite (sqlite.org/rescode.html) that an operator can correct. */
export const codes = {
  busy: 5,
  locked: 6,
  noMemory: 7,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  protocol: 15,
  notADatabase: 26,
  /** Not from SQLite: a user who cannot write the database has made a log beside it. */
  foreignLog: 252,
  /** Not from SQLite: the file is there, and has no tables of Watchword. */
  noSchema: 253,
  /** Not from SQLite: the file with this name is no longer the open file. */
  replaced: 254,
  /** Not from SQLite: the file belongs to another application. */
  otherApplication: 255,
} as const;

/** The database returned other bytes than were written. Another attempt does not help. */
export function isDamage({ code }: SqliteError): boolean {
  return code === codes.corrupt || code === codes.notADatabase;
}

/** Nothing can be read: the file is damaged, or without tables of Watchword. */
export function hasNoRecords(error: SqliteError): boolean {
  return isDamage(error) || error.code === codes.noSchema;
}

// Errors that an operator can correct while the server runs. A programming error is not one of them.
const unavailable: ReadonlySet<number> = new Set(Object.values(codes));

/** No statement can be run now, but it can be possible later. */
export function isUnavailability(sqliteError: SqliteError): boolean {
  return unavailable.has(sqliteError.code) && !isDamage(sqliteError);
}

/** Thrown for a finding of the checks of SQLite. */
export function damagedError(finding: unknown): Error {
  return Object.assign(new Error(String(finding)), { errcode: codes.corrupt });
}

/** Thrown when a file of the open database was removed or replaced. */
export function replacedError(file: string): Error {
  const text = `the file ${file} was removed or replaced while it was open; nothing more is written to it. Put it back, or start the server again`;
  return Object.assign(new Error(text), { errcode: codes.replaced });
}

/** Thrown for a database whose `application_id` belongs to another application. */
export function otherApplicationError(found: unknown): Error {
  return Object.assign(new Error(`application_id is ${found}`), { errcode: codes.otherApplication });
}

/** Thrown for a file that can become a database, and is none yet. */
export function noSchemaError(found: string): Error {
  return Object.assign(new Error(found), { errcode: codes.noSchema });
}

/** Thrown for a log that is none of the database. */
export function foreignLogError(log: string, uid: number): Error {
  return Object.assign(new Error(`${log} is of user ${uid}`), { errcode: codes.foreignLog });
}

// Errors of the files of a database that SQLite has codes for, too.
const codeOfFiles: ReadonlyMap<string, number> = new Map([
  ['ENOSPC', codes.full],
  ['EDQUOT', codes.full],
  ['EROFS', codes.readOnly],
  ['EACCES', codes.cannotOpen],
  ['EPERM', codes.cannotOpen],
]);

export function toSqliteError(error: unknown): SqliteError {
  if (!(error instanceof Error)) return { message: String(error), code: 0 };
  if ('errcode' in error && typeof error.errcode === 'number') {
    return { message: error.message, code: error.errcode & 0xff };
  }
  return { message: error.message, code: codeOfFiles.get((error as NodeJS.ErrnoException).code ?? '') ?? 0 };
}
