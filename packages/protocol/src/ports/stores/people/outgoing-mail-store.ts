/** A mail that waits to be sent. */
export interface OutgoingMail {
  /** UUIDv7 in canonical text form. The mail has it in its `Message-ID`, at each attempt. */
  readonly id: string;
  readonly kind: string;
  /** The id of the account of which it is of interest alone: it is not sent after the deletion of the account. */
  readonly accountId?: string;
  /** Address, language and values. Sealed. */
  readonly sealed: string;
  /** Epoch milliseconds. */
  readonly creationDate: number;
  /** Epoch milliseconds: no attempt begins at this time or later. */
  readonly expires: number;
  /** How many attempts have failed. */
  readonly attempts: number;
  /** Epoch milliseconds. */
  readonly nextAttempt: number;
}

/** Stores mails that wait to be sent. A change is durable when its promise resolves. */
export interface OutgoingMailStore {
  add(mail: OutgoingMail): Promise<void>;
  /** Mails whose next attempt is due, those that wait longest first. */
  listDue(now: number, limit: number): Promise<readonly OutgoingMail[]>;
  /**
   * Takes the next attempt: until the time, no other process takes it. `false` if another process has taken it since the mail was
   * read. One statement decides.
   *
   * @param until epoch milliseconds
   */
  claim(mail: OutgoingMail, until: number): Promise<boolean>;
  /** Stores an attempt that failed, with the mail sealed again: keys of former days open nothing more. */
  postpone(
    mail: OutgoingMail,
    next: Pick<OutgoingMail, 'attempts' | 'nextAttempt' | 'sealed'>,
  ): Promise<void>;
  /** The mail is sent, or given up. */
  remove(mail: OutgoingMail): Promise<void>;
  /** How many mails wait, and since when the oldest does. */
  waiting(): Promise<WaitingMail>;
  /** Calls the listener when this process has stored a mail. */
  onDue(listener: () => void): void;
}

export interface WaitingMail {
  readonly count: number;
  /** Epoch milliseconds; `undefined` if no mail waits. */
  readonly oldest: number | undefined;
}
