export interface PurgeOptions {
  /** Epoch milliseconds: what expired before this moment goes. */
  readonly expiredBefore: number;
  /**
   * Epoch milliseconds: records deleted before this moment go, once nothing hangs on them, and counts of failed
   * logins and of changes that have meant nothing since.
   */
  readonly deletedBefore: number;
  /**
   * Epoch milliseconds: codes that were issued after this moment stay, expired and revoked ones too, for they show that a
   * consent page was answered that could still be submitted again. So do the grants that they hang on.
   */
  readonly answeredBefore?: number;
  /** Epoch milliseconds: the trail of changes before this moment goes; 0 = none of it. */
  readonly auditedBefore?: number;
  /** Epoch milliseconds: logins, logouts, withdrawals and grants before this moment leave the trail; 0 = none of them. */
  readonly loggedInBefore?: number;
  /** Epoch milliseconds: counts of tokens issued before this moment go. */
  readonly countedBefore?: number;
  /** Rows of one statement, in most. */
  readonly batchSize: number;
  /** Makes pauses between the batches, and batches small. Absent: neither. */
  readonly pace?: Pace;
  /** Stops between two batches. */
  readonly signal?: AbortSignal;
}

export interface Pace {
  /** Milliseconds of the connection that writes which a batch should take: its rows become fewer or more. */
  readonly batchTime: number;
  /**
   * Called after each batch.
   *
   * @param worked milliseconds for which the batch kept that connection
   * @param committed operations that others have committed so far
   */
  rest(worked: number, committed: () => number): Promise<void>;
}

/** What a batch is run with. */
export interface PacedOptions extends PurgeOptions {
  /** Milliseconds for which the connection that writes has worked on statements so far. */
  worked(): number;
  /** Operations of requests that it has committed so far. */
  committed(): number;
}

// Fewer rows are hardly quicker: each batch is a commit.
const leastRows = 10;

/** Repeats what removes or changes a batch of rows until one is not full; resolves with their number. */
export async function inBatches(
  options: PacedOptions,
  batch: (options: PacedOptions) => Promise<number>,
): Promise<number> {
  let total = 0;
  let batchSize = options.pace === undefined ? options.batchSize : Math.min(leastRows, options.batchSize);
  for (;;) {
    if (options.signal?.aborted) return total;
    const before = options.worked();
    const rows = await batch({ ...options, batchSize });
    const worked = options.worked() - before;
    total += rows;
    await options.pace?.rest(worked, options.committed);
    if (rows < batchSize) return total;
    batchSize = nextSize(batchSize, worked, options);
  }
}

/** As many rows as would have taken the time that a batch should; twice as many in most, for the next may be dearer. */
function nextSize(size: number, worked: number, { pace, batchSize: most }: PacedOptions): number {
  if (pace === undefined) return most;
  const fitting = Math.round(size * Math.min(2, pace.batchTime / worked));
  return Math.min(Math.max(fitting, leastRows), most);
}
