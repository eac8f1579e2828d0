import type { Client, ResourceServer } from '@watchword/protocol';
import type { Columns, Named } from './columns.ts';
import type { Command, CommandResult } from './command.ts';
import type { LookupCall } from './lookup.ts';

/** What a dialect does for requests. Everything else runs on Kysely. */
export interface HotWork {
  /**
   * Makes the commands durable, each whole or not at all; one result for each, in order, or why that one alone was not
   * done. Commands that were committed together may share a transaction.
   *
   * @throws StoreUnavailableError when nothing can be written now
   */
  commit(commands: readonly Command[]): Promise<readonly (CommandResult | Error)[]>;
  /**
   * Reads from one snapshot that is younger than the call; one row for each lookup, in order, `undefined` where there is none.
   *
   * @throws StoreUnavailableError, StoreDamagedError
   */
  read(lookups: readonly LookupCall[]): Promise<readonly (Named<Columns> | undefined)[]>;
  /** Registered records that changed after the revision; `undefined` when none did. */
  changesSince(revision: number): Promise<RegistryChanges | undefined>;
}

/** Registered records, as one snapshot has them. */
export interface RegistryChanges {
  readonly revision: number;
  /** All records, and not only those that changed: a removal was missed, or the database was restored. */
  readonly isWhole: boolean;
  readonly resourceServers: readonly ChangedRecord<ResourceServer>[];
  readonly clients: readonly ChangedRecord<Client>[];
}

export interface ChangedRecord<Kind> {
  readonly id: number;
  /** `undefined` when the record was deleted. */
  readonly record: Kind | undefined;
}
