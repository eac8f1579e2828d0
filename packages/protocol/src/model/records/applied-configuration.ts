/** A configuration of resource servers and clients, as it was applied last. */
export interface AppliedConfiguration {
  readonly name: string;
  /** Records that it manages. */
  readonly records: number;
  /** Epoch milliseconds. */
  readonly appliedAt: number;
  /** Name of who applied it. */
  readonly appliedBy: string;
  /** Whether the database was restored from a backup since: it can be an earlier state of the configuration. */
  readonly isRestored: boolean;
}
