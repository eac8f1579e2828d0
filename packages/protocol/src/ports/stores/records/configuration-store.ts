import type { AppliedConfiguration } from '../../../model/records/applied-configuration.ts';

/** Reads which configurations were applied. */
export interface ConfigurationReader {
  /** All, in the order of their names. */
  list(): Promise<AppliedConfiguration[]>;
}

/** Changes it, within a transaction. */
export interface ConfigurationStore extends ConfigurationReader {
  /** Replaces what is known of the configuration of the same name. It is not one of a restored database any more. */
  put(applied: Omit<AppliedConfiguration, 'isRestored'>): Promise<void>;
  remove(name: string): Promise<void>;
}

/** What a change can say of the configuration that a record stands in. */
export interface ManagedChange {
  /** Its name; empty: none manages the record any more. Left out, it does not change, and a new record has none. */
  readonly managedBy?: string;
  /** Of the record as the configuration leaves it. */
  readonly appliedDigest?: string;
}

/** A record that a configuration manages, and the digest of it as the configuration left it. */
export interface ManagedRecord<Kind> {
  readonly record: Kind;
  readonly appliedDigest: string;
}

export interface ManagedRecords<Kind> {
  /** In the order of ids. */
  listManaged(query?: ManagedQuery): Promise<ManagedRecord<Kind>[]>;
  /** The number of all. */
  countManaged(): Promise<number>;
}

export interface ManagedQuery {
  /** Only those of this configuration. */
  readonly by?: string;
  /** Only those that changed after this revision. */
  readonly changedAfter?: number;
}
