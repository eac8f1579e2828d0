// Tables of clients that register themselves.

export interface ClientRegistrationTable {
  client_record_id: number;
  token_digest: Uint8Array;
  creation_date: number;
  /** 0 if it was never used. */
  last_used: number;
  initial_token_id: string | null;
  claimed_name: string;
  application_type: string;
}

export interface InitialTokenTable {
  /** UUIDv7 in text form. */
  token_id: string;
  token_digest: Uint8Array;
  note: string;
  creation_date: number;
  /** 0 if it never expires. */
  expires: number;
  /** 0 if there is no limit. */
  max_clients: number;
  clients: number;
}
