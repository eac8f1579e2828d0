/** One row, which the nodes poll to find changes to the records that they keep in memory. */
export interface RegistryRevisionTable {
  id: number;
  /** Counts the changes. A changed record has the number of its change. */
  revision: number;
  /** A node that has read less than this revision has missed the removal of a record and reads all records again. */
  purged_revision: number;
}

/** The last used number of each sequence. The row is locked until the number is committed. */
export interface NumberSequenceTable {
  sequence_name: NumberSequence;
  last_number: number;
}

export type NumberSequence = 'resource_server' | 'client' | 'outbox_message';

/** Of nodes of the release before, which read replicas. It goes when none of them can serve the database any more. */
export interface HeartbeatTable {
  id: number;
  /** Epoch milliseconds. */
  beaten_at: number;
}

/** One row: the newest migration that a release must know to serve the database; empty text if every release can. */
export interface SchemaRequirementTable {
  id: number;
  migration_name: string;
}

/** One row. It is written to find out whether a write is possible. */
export interface WriteProofTable {
  id: number;
  filler: Uint8Array;
}

/** The node that does a background work. */
export interface LeaseTable {
  lease_name: string;
  holder: string;
  expires: number;
  last_success: number | null;
}

/** Messages with work that a change causes, stored in the transaction of the change. */
export interface OutboxMessageTable {
  sequence_number: number;
  topic: string;
  /** JSON. */
  payload: string;
  creation_date: number;
  /** How often the work was done. */
  times_done: number;
}

/** Values of settings with which the database began, where the operator sets no others. */
export interface InstallationDefaultTable {
  setting_name: InstallationDefault;
  setting_value: string;
}

export type InstallationDefault = 'factors.required';
