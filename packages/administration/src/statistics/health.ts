/** What an administrator needs to find out whether anything is wrong. */
export interface Health {
  /** Epoch milliseconds: the start of this node. */
  readonly startDate: number;
  readonly database: DatabaseHealth;
  readonly work: readonly BackgroundWork[];
  readonly failedLogins: FailedLogins;
  readonly authenticators: readonly AuthenticatorHealth[];
}

export interface DatabaseHealth {
  /** Bytes on the disk. */
  readonly size: number;
  /** Bytes that are free where the database is; `undefined` if it is not known. */
  readonly free: number | undefined;
  /** Whether writes can be made durable, and no damage was found. The reason if not. */
  readonly problem: string | undefined;
}

/** Work that one of the nodes does at intervals. */
export interface BackgroundWork {
  readonly name: string;
  /** Epoch milliseconds: when a node did it last without an error; `undefined` if none did since the database was made. */
  readonly lastSuccess: number | undefined;
  readonly isRunning: boolean;
  /** Seconds between two runs. */
  readonly interval: number;
  /** Whether it was not done for longer than twice the interval. */
  readonly isOverdue: boolean;
}

/** Logins that failed at this node. */
export interface FailedLogins {
  readonly lastHour: number;
  readonly hourBefore: number;
}

export interface AuthenticatorHealth {
  readonly name: string;
  /** Sentences for the operator; none if nothing is wrong. */
  readonly problems: readonly string[];
}
