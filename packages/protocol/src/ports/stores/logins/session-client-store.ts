import type { LogoutDelivery, SessionClient } from '../../../model/records/session-client.ts';

/** Stores which clients learn of the end of a login session. When the session ends, each becomes a logout delivery. */
export interface SessionClientStore {
  /** Does nothing if the client is stored with this session and `sid`. */
  insert(client: SessionClient): Promise<void>;
  /** The clients of a session that has not ended. */
  list(sessionId: string): Promise<readonly SessionClient[]>;
  /** The clients of a session learn of the end of another session instead, because the same user continues in that one. */
  move(fromSessionId: string, toSessionId: string): Promise<void>;
}

/** Stores logout tokens that wait for their delivery. They are made by the end of a session, in its transaction. */
export interface LogoutDeliveryStore {
  /** Deliveries whose next attempt is due, those that wait longest first. */
  listDue(now: number, limit: number): Promise<readonly LogoutDelivery[]>;
  /**
   * Takes the next attempt: until the time, no other process takes it. `false` if another process has taken it since the
   * delivery was read.
   *
   * @param until epoch milliseconds
   */
  claim(delivery: LogoutDelivery, until: number): Promise<boolean>;
  /** Stores how the attempt ended. */
  update(delivery: LogoutDelivery, change: LogoutAttempt): Promise<void>;
  /** The client has the logout token, or does not want it any more. */
  remove(delivery: LogoutDelivery): Promise<void>;
  /** Newest session first. */
  list(query: LogoutDeliveryQuery): Promise<readonly LogoutDelivery[]>;
  find(id: string): Promise<LogoutDelivery | undefined>;
  /** Makes the delivery due again, as a new one. `false` if there is no such delivery. */
  retry(delivery: LogoutDelivery, now: number): Promise<boolean>;
  /** Calls the listener when this process has made deliveries due, by the end of a session or by `retry`. */
  onDue(listener: (by: 'end' | 'retry') => void): void;
}

export type LogoutAttempt = Pick<LogoutDelivery, 'attempts' | 'nextAttempt' | 'failure'>;

export interface LogoutDeliveryQuery {
  readonly clientRecordId?: number | undefined;
  /** Only those that have failed for good, or only those that have not. */
  readonly failed?: boolean | undefined;
  /** Only those before the one with this id. */
  readonly before?: string | undefined;
  readonly limit: number;
}
