/** Append-only. */
export interface AuditEventTable {
  id: Uint8Array;
  time: number;
  actor_authority: string;
  actor: string;
  client_id: string | null;
  source: string;
  action: string;
  record_type: string;
  record_id: string;
  record_name: string;
  owner_authority: string;
  owner: string;
  /** JSON. */
  before: string | null;
  /** JSON. */
  after: string | null;
}

/** Hot: append-only, one row for each login, logout, withdrawal and grant. */
export interface LoginEventTable {
  id: Uint8Array;
  time: number;
  action: string;
  authority: string;
  principal_name: string;
  client_id: string | null;
  source: string;
  record_type: string;
  record_id: string;
  record_name: string;
  /** JSON. */
  after: string | null;
}

/** How many tokens were issued. */
export interface IssuedByHourTable {
  /** 0 = all of them together. */
  resource_server_id: number;
  /** Hours since the epoch. */
  hour: number;
  grant_type: string;
  tokens: number;
}
