/** Reports work that the database does for several requests together, for their traces. */
export interface BatchSpans {
  /** The current request is one of those for which the batch with the operation is done. */
  join(operation: object): void;
  /** Runs the work for a batch of operations. @param name `commit` or `read` */
  run<Result>(name: string, operations: readonly object[], work: () => Promise<Result>): Promise<Result>;
}

/** What the server observes of hot work. */
export interface HotObserver {
  /** Called with the seconds from the begin of a commit until it was durable, or failed. */
  readonly onCommitEnd?: ((seconds: number) => void) | undefined;
  /** Absent if no request is traced. */
  readonly batches?: BatchSpans | undefined;
}
