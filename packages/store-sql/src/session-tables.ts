export interface LoginSessionLinkTable {
  /** UUID in text form. */
  session_id: string;
  link_key: string;
  link_data: string;
  expires: number;
}

/** Hot. A client that learns of the end of a session, and after the end the delivery of its logout token. */
export interface SessionClientTable {
  session_id: Uint8Array;
  client_record_id: number;
  sid: string;
  id: Uint8Array;
  subject: string;
  expires: number;
  /** Null while the session has not ended. */
  ended_at: number | null;
  attempts: number;
  /** Null before the end of the session, and when the delivery has failed for good. */
  next_attempt: number | null;
  failure: string | null;
}
