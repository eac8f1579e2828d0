/** An error of SQLite as it travels between threads. */
export interface SqliteFault {
  readonly message: string;
  /** Primary SQLite result code, 0 when the error is not SQLite's. */
  readonly code: number;
}

/** Primary result codes of SQLite (sqlite.org/rescode.html) that an operator can do something about. */
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
  /** Not SQLite's: the open file is not the one of its name any more. */
  replaced: 254,
  /** Not SQLite's: the file belongs to another application. */
  otherApplication: 255,
} as const;

/** The database returned other bytes than were written. Another attempt does not help. */
export function isDamage({ code }: SqliteFault): boolean {
  return code === codes.corrupt || code === codes.notADatabase;
}

// Faults that an operator can correct while the server runs; a programming error is none of them.
const unavailable: ReadonlySet<number> = new Set(Object.values(codes));

/** No statement can be run now; later it can be possible. */
export function isUnavailability(fault: SqliteFault): boolean {
  return unavailable.has(fault.code) && !isDamage(fault);
}

/** Thrown for what SQLite's own checks find. */
export function damagedError(finding: unknown): Error {
  return Object.assign(new Error(String(finding)), { errcode: codes.corrupt });
}

/** Thrown when a file of the open database was removed or replaced. */
export function replacedError(file: string): Error {
  const text = `the file ${file} was removed or replaced while it was open; nothing more is written to it. Put it back, or start the server again`;
  return Object.assign(new Error(text), { errcode: codes.replaced });
}

/** Thrown for a database whose `application_id` says that it is not Watchword's. */
export function otherApplicationError(found: unknown): Error {
  return Object.assign(new Error(`application_id is ${found}`), { errcode: codes.otherApplication });
}

export function toFault(error: unknown): SqliteFault {
  if (!(error instanceof Error)) return { message: String(error), code: 0 };
  const errcode = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0;
  return { message: error.message, code: errcode & 0xff };
}
