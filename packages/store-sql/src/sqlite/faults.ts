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
  /** Not SQLite's: the file belongs to another application. */
  otherApplication: 255,
} as const;

/** Thrown for a database whose `application_id` says that it is not Watchword's. */
export function otherApplicationError(found: unknown): Error {
  return Object.assign(new Error(`application_id is ${found}`), { errcode: codes.otherApplication });
}

export function toFault(error: unknown): SqliteFault {
  if (!(error instanceof Error)) return { message: String(error), code: 0 };
  const errcode = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0;
  return { message: error.message, code: errcode & 0xff };
}
