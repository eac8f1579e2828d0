/** The columns of the events of both tables. */
export interface EventColumns {
  id: Uint8Array;
  occurred_at: number;
  event_action: string;
  client_id: string | null;
  /** At that time; null in a row of an older release. */
  client_name: string | null;
  source_address: string;
  record_type: string;
  record_id: string;
  record_name: string;
  /** JSON. */
  state_after: string | null;
}

/** Append-only. */
export interface AuditEventTable extends EventColumns {
  actor_identity_provider: string;
  actor_name: string;
  owner_identity_provider: string;
  owner_name: string;
  /** JSON. */
  state_before: string | null;
  /** The searched names, as `searchText` writes them; null in a row of an older release. */
  search_text: string | null;
}

/** Hot: append-only, one row for each login, logout, withdrawal and grant. */
export interface LoginEventTable extends EventColumns {
  identity_provider: string;
  principal_name: string;
}

/** Numbers of issued tokens. */
export interface IssuedByHourTable {
  /** 0 = all of them together. */
  resource_server_id: number;
  /** Hours since the epoch. */
  epoch_hour: number;
  grant_type: string;
  tokens: number;
}

/** Numbers of tokens issued to each client. */
export interface IssuedToClientTable {
  client_record_id: number;
  /** Hours since the epoch. */
  epoch_hour: number;
  tokens: number;
}

/** When a secret was last used. */
export interface ClientSecretUseTable {
  client_record_id: number;
  secret_id: number;
  last_used: number;
}

/** Requests of authenticated clients that ended in an error. */
export interface RequestErrorTable {
  id: Uint8Array;
  client_record_id: number;
  occurred_at: number;
  endpoint: string;
  error_code: string;
  reason: string;
  request_id: string | null;
  /** `null` in a row of the release before. */
  rule_name: string | null;
  expected: string | null;
  came: string | null;
}

/** Number of changes of a record owner since a timestamp. */
export interface OwnerChangeTable {
  identity_provider: string;
  owner_name: string;
  window_start: number;
  changes: number;
}
