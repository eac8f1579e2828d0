import type { ResourceServer } from '@watchword/protocol';
import type { KeptClient } from './client-row.ts';
import type { Columns, Named } from './columns.ts';
import type { Command, CommandResult } from './command.ts';
import type { LookupCall } from './lookup.ts';

/** The work of a dialect for requests. All other work runs on Kysely. */
export interface HotWork {
  /** Whether the rows of a command can be on several machines. */
  readonly hasShards: boolean;
  /**
   * Makes the commands durable, each completely or not at all. Resolves with one result for each, in order, which can be an
   * error. Commands can share a transaction.
   *
   * @throws StoreUnavailableError if no write is possible now
   */
  commit(commands: readonly Command[]): Promise<readonly (CommandResult | Error)[]>;
  /**
   * Reads each row from a snapshot that is younger than the call. Resolves with one row for each lookup, in order; `undefined`
   * if there is no row, or an error if the machine that has the row does not answer.
   *
   * @throws StoreUnavailableError, StoreDamagedError
   */
  read(lookups: readonly LookupCall[]): Promise<readonly (Named<Columns> | Error | undefined)[]>;
  /** Registered records that changed after the revision; `undefined` if there are none. */
  changesSince(revision: number): Promise<RegistryChanges | undefined>;
}

/** Registered records of one snapshot. */
export interface RegistryChanges {
  readonly revision: number;
  /** Whether these are all records and not only the changed ones, because a removal was missed or the database was restored. */
  readonly isWhole: boolean;
  readonly resourceServers: readonly ChangedRecord<ResourceServer>[];
  readonly clients: readonly ChangedRecord<KeptClient>[];
}

export interface ChangedRecord<Kind> {
  readonly id: number;
  /** `undefined` if the record was deleted. */
  readonly record: Kind | undefined;
}
